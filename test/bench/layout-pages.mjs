/**
 * Pages whose layout breaks by a rule that changes no computed style of its own: relative lengths and places in a grid. Without the
 * rule, they are pages that only other fonts draw differently.
 */
const text = 'Proofs of every page are compared with the ones that a person has approved before. ';
const card = (title, rest = '') => `<article class="card"><h3>${title}</h3><p>${text}</p>${rest}</article>`;

export const LAYOUTS = [
  {
    name: 'two columns',
    css: '.page { display: grid; grid-template-columns: 70% 30%; height: 300px } aside { background: #eee }',
    html: `<div class="page"><main><h1>News</h1><p>${text.repeat(4)}</p></main><aside><h2>More</h2><p>${text}</p></aside></div>`,
    broken: '.page { grid-template-columns: 100%; grid-template-rows: 300px 200px }',
  },
  {
    name: 'header with a menu',
    css: 'header { display: flex; height: 64px; align-items: center; background: #123; color: #fff; position: relative } nav a { margin: 0 12px; color: #fff } .login { position: absolute; left: 85%; top: 20px }',
    html: '<header><b>Proofs Ltd</b><nav><a>Home</a><a>Products</a><a>Documentation</a><a>Prices</a><a>Contact</a></nav><button class="login">Sign in</button></header>',
    broken: '.login { left: 102% }',
  },
  {
    name: 'cards',
    css: '.cards { display: grid; grid-template-columns: repeat(3, 1fr); gap: 16px } .card { border: 1px solid #ccc; padding: 16px }',
    html: `<div class="cards">${['One', 'Two', 'Three', 'Four', 'Five', 'Six'].map((title) => card(title)).join('')}</div>`,
    broken: '.card:nth-child(-n + 2) { grid-area: 1 / 1 }',
  },
  {
    name: 'hero',
    css: '.hero { height: 420px; background: #246; color: #fff; text-align: center; padding-top: 80px } .hero h1 { font-size: 56px } .action { display: inline-block; padding: 14px 28px; background: #fa0; transform: translateX(0%) }',
    html: `<section class="hero"><h1>Every page, to the pixel</h1><p>${text}</p><a class="action">Start now</a></section>`,
    broken: '.action { transform: translateX(700%) }',
  },
  {
    name: 'form',
    css: 'form { display: grid; grid-template-columns: 30% 70%; row-gap: 12px; width: 600px } input { font: inherit } .note { grid-column: 2 }',
    html: '<form><label>Name</label><input value="Ada"><label>Electronic mail</label><input value="ada@example.org"><label>Country of residence</label><select><option>Finland</option></select><p class="note">We never share your address with anybody else.</p><button>Send the form</button></form>',
    broken: 'form { grid-template-columns: 30% 0% }',
  },
  {
    name: 'photo with a caption',
    css: 'figure { position: relative; width: 500px; height: 320px; background: linear-gradient(#fc8, #c48); overflow: hidden } figcaption { position: absolute; left: 0; right: 0; top: 80%; padding: 8px; background: #000a; color: #fff }',
    html: '<figure><figcaption>The harbor of Helsinki in the evening of a long summer day</figcaption></figure>',
    broken: 'figcaption { top: 101% }',
  },
  {
    name: 'sidebar that floats',
    css: '.side { float: left; position: relative; left: 0%; width: 25%; height: 400px; background: #dde } .body { margin-left: 27% }',
    html: `<div><div class="side"><h4>Contents</h4><ul><li>Introduction<li>Installation<li>Comparison of images<li>Answers</ul></div><div class="body"><h1>Manual</h1><p>${text.repeat(6)}</p></div></div>`,
    broken: '.side { left: 60% }',
  },
  {
    name: 'price table',
    css: 'table { border-collapse: collapse; width: 100% } td, th { border: 1px solid #bbb; padding: 8px } .total { width: 40%; height: 20px; background: #efe }',
    html: `<table><tr><th>Plan<th>Pages<th>Price per month</tr><tr><td>Small<td>100<td>9.00 EUR</tr><tr><td>Large company<td>100,000<td>490.00 EUR</tr></table><div class="total"></div><p>${text}</p>`,
    broken: '.total { width: 0% }',
  },
  {
    name: 'list with badges',
    css: 'li { position: relative; height: 44px; padding-right: 20%; list-style: none; border-bottom: 1px solid #ddd } .badge { position: absolute; left: 90%; top: 10%; background: #c00; color: #fff; border-radius: 9px; padding: 2px 8px }',
    html: `<ul>${['Messages', 'Invoices that are open', 'Members', 'Settings of the account'].map((name, index) => `<li>${name}<span class="badge">${index + 3}</span></li>`).join('')}</ul>`,
    broken: '.badge { top: 110% }',
  },
  {
    name: 'footer in columns',
    css: 'footer { display: flex; background: #222; color: #ccc; padding: 24px } footer div { width: 33% } footer ul { padding-left: 18px }',
    html: `<p>${text.repeat(8)}</p><footer><div><b>Company</b><ul><li>About us<li>Careers and jobs</ul></div><div><b>Product</b><ul><li>Features<li>Changelog</ul></div><div><b>Legal</b><p>Terms of service, privacy and imprint</p></div></footer>`,
    broken: 'footer div:nth-child(3) { margin-left: -33% }',
  },
  {
    name: 'chips in a toolbar',
    css: '.bar { width: 480px; border: 1px solid #999; padding: 8px } .chip { display: inline-block; margin: 4px; padding: 4px 12px; background: #def; border-radius: 14px }',
    html: `<div class="bar">${['all', 'open issues', 'in review', 'waiting for an answer', 'closed', 'archived since last year'].map((name) => `<span class="chip">${name}</span>`).join(' ')}</div><p>${text}</p>`,
    broken: '.chip:nth-child(3) { margin-left: -45% }',
  },
  {
    name: 'article in columns with a bar at the bottom',
    css: '.text { columns: 3; column-gap: 24px } .bottom { position: fixed; bottom: 0; left: 0; right: 0; background: #ffd; padding: 8px } .bottom button { float: right }',
    html: `<h2>Report</h2><div class="text">${`<p>${text.repeat(2)}</p>`.repeat(7)}</div><div class="bottom">This site uses files in your browser. <button>Understood</button></div>`,
    broken: '.bottom { bottom: -20% }',
  },
];

export function htmlOf({ css, html }, more = '') {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><style>body { font-family: sans-serif; margin: 8px } ${css} ${more}</style><body>${html}</body></html>`;
}
