/**
 * Pages whose layout breaks by a rule that changes no computed style of its own: relative lengths and places in a grid. Without the
 * rule, they are pages that only other fonts draw differently.
 */
const text = 'Proofs of every page are compared with the ones that a person has approved before. ';
const card = (title, rest = '') => `<article class="card"><h3>${title}</h3><p>${text}</p>${rest}</article>`;

export const LAYOUTS = {
  'two columns': {
    css: '.page { display: grid; grid-template-columns: 70% 30%; height: 300px } aside { background: #eee }',
    html: `<div class="page"><main><h1>News</h1><p>${text.repeat(4)}</p></main><aside><h2>More</h2><p>${text}</p></aside></div>`,
    broken: '.page { grid-template-columns: 100%; grid-template-rows: 300px 200px }',
  },
  'header with a menu': {
    css: 'header { display: flex; height: 64px; align-items: center; background: #123; color: #fff; position: relative } nav a { margin: 0 12px; color: #fff } .login { position: absolute; left: 85%; top: 20px }',
    html: '<header><b>Proofs Ltd</b><nav><a>Home</a><a>Products</a><a>Documentation</a><a>Prices</a><a>Contact</a></nav><button class="login">Sign in</button></header>',
    broken: '.login { left: 102% }',
  },
  cards: {
    css: '.cards { display: grid; grid-template-columns: repeat(3, 1fr); gap: 16px } .card { border: 1px solid #ccc; padding: 16px }',
    html: `<div class="cards">${['One', 'Two', 'Three', 'Four', 'Five', 'Six'].map((title) => card(title)).join('')}</div>`,
    broken: '.card:nth-child(-n + 2) { grid-area: 1 / 1 }',
  },
  hero: {
    css: '.hero { height: 420px; background: #246; color: #fff; text-align: center; padding-top: 80px } .hero h1 { font-size: 56px } .action { display: inline-block; padding: 14px 28px; background: #fa0; transform: translateX(0%) }',
    html: `<section class="hero"><h1>Every page, to the pixel</h1><p>${text}</p><a class="action">Start now</a></section>`,
    broken: '.action { transform: translateX(700%) }',
  },
  form: {
    css: 'form { display: grid; grid-template-columns: 30% 70%; row-gap: 12px; width: 600px } input { font: inherit } .note { grid-column: 2 }',
    html: '<form><label>Name</label><input value="Ada"><label>Electronic mail</label><input value="ada@example.org"><label>Country of residence</label><select><option>Finland</option></select><p class="note">We never share your address with anybody else.</p><button>Send the form</button></form>',
    broken: 'form { grid-template-columns: 30% 0% }',
  },
  'photo with a caption': {
    css: 'figure { position: relative; width: 500px; height: 320px; background: linear-gradient(#fc8, #c48); overflow: hidden } figcaption { position: absolute; left: 0; right: 0; top: 80%; padding: 8px; background: #000a; color: #fff }',
    html: '<figure><figcaption>The harbor of Helsinki in the evening of a long summer day</figcaption></figure>',
    broken: 'figcaption { top: 101% }',
  },
  'sidebar that floats': {
    css: '.side { float: left; position: relative; left: 0%; width: 25%; height: 400px; background: #dde } .body { margin-left: 27% }',
    html: `<div><div class="side"><h4>Contents</h4><ul><li>Introduction<li>Installation<li>Comparison of images<li>Answers</ul></div><div class="body"><h1>Manual</h1><p>${text.repeat(6)}</p></div></div>`,
    broken: '.side { left: 60% }',
  },
  'price table': {
    css: 'table { border-collapse: collapse; width: 100% } td, th { border: 1px solid #bbb; padding: 8px } .total { width: 40%; height: 20px; background: #efe }',
    html: `<table><tr><th>Plan<th>Pages<th>Price per month</tr><tr><td>Small<td>100<td>9.00 EUR</tr><tr><td>Large company<td>100,000<td>490.00 EUR</tr></table><div class="total"></div><p>${text}</p>`,
    broken: '.total { width: 0% }',
  },
  'list with badges': {
    css: 'li { position: relative; height: 44px; padding-right: 20%; list-style: none; border-bottom: 1px solid #ddd } .badge { position: absolute; left: 90%; top: 10%; background: #c00; color: #fff; border-radius: 9px; padding: 2px 8px }',
    html: `<ul>${['Messages', 'Invoices that are open', 'Members', 'Settings of the account'].map((name, index) => `<li>${name}<span class="badge">${index + 3}</span></li>`).join('')}</ul>`,
    broken: '.badge { top: 110% }',
  },
  'footer in columns': {
    css: 'footer { display: flex; background: #222; color: #ccc; padding: 24px } footer div { width: 33% } footer ul { padding-left: 18px }',
    html: `<p>${text.repeat(8)}</p><footer><div><b>Company</b><ul><li>About us<li>Careers and jobs</ul></div><div><b>Product</b><ul><li>Features<li>Changelog</ul></div><div><b>Legal</b><p>Terms of service, privacy and imprint</p></div></footer>`,
    broken: 'footer div:nth-child(3) { margin-left: -33% }',
  },
  'chips in a toolbar': {
    css: '.bar { width: 480px; border: 1px solid #999; padding: 8px } .chip { display: inline-block; margin: 4px; padding: 4px 12px; background: #def; border-radius: 14px }',
    html: `<div class="bar">${['all', 'open issues', 'in review', 'waiting for an answer', 'closed', 'archived since last year'].map((name) => `<span class="chip">${name}</span>`).join(' ')}</div><p>${text}</p>`,
    broken: '.chip:nth-child(3) { margin-left: -45% }',
  },
  'article in columns with a bar at the bottom': {
    css: '.text { columns: 3; column-gap: 24px } .bottom { position: fixed; bottom: 0; left: 0; right: 0; background: #ffd; padding: 8px } .bottom button { float: right }',
    html: `<h2>Report</h2><div class="text">${`<p>${text.repeat(2)}</p>`.repeat(7)}</div><div class="bottom">This site uses files in your browser. <button>Understood</button></div>`,
    broken: '.bottom { bottom: -20% }',
  },
  'dashboard with tiles': {
    css: '.tiles { display: grid; grid-template-columns: 2fr 1fr 1fr; gap: 12px } .tile { background: #f2f4f8; padding: 12px } .tile b { font-size: 28px; display: block }',
    html: `<h2>Overview of this month</h2><div class="tiles"><div class="tile"><b>12,480</b>Screenshots that were compared</div><div class="tile"><b>97 %</b>Passed at once</div><div class="tile"><b>31</b>Open reviews</div></div><p>${text}</p>`,
    broken: '.tile:nth-child(2) { width: 260% }',
  },
  conversation: {
    css: '.chat { width: 420px; padding: 8px; background: #fafafa } .bubble { width: 60%; padding: 8px 12px; margin: 6px 0; border-radius: 12px; background: #e4e6eb } .mine { margin-left: 30%; background: #0b84fe; color: #fff }',
    html: `<div class="chat"><div class="bubble">Did the pages change since yesterday?</div><div class="bubble mine">Only the prices did, and the footer has a new link.</div><div class="bubble">Thanks a lot!</div></div>`,
    broken: '.mine { margin-left: 110% }',
  },
  'search field in a bar': {
    css: '.top { display: flex; gap: 16px; align-items: center; background: #20232a; color: #fff; padding: 8px 16px; width: 700px } .top form { flex: 1 } .top input { width: 90%; padding: 6px }',
    html: '<div class="top"><b>Documentation</b><form><input placeholder="Search in all pages"></form><span>Version 3.1</span></div><h1>Getting started</h1>',
    broken: '.top input { width: 190% }',
  },
  'tabs above a panel': {
    css: '.tabs { border-bottom: 1px solid #aaa } .tab { display: inline-block; padding: 10px 16px } .panel { padding: 16px; background: #eef6ee; position: relative; top: 0% }',
    html: `<div style="height: 320px"><div class="tabs"><span class="tab">Description</span><span class="tab">Specification</span><span class="tab">Questions</span></div><div class="panel"><p>${text.repeat(2)}</p></div></div>`,
    broken: '.panel { top: -14% }',
  },
  'progress of an upload': {
    css: '.file { width: 380px; padding: 10px; border: 1px solid #ccc } .track { height: 10px; background: #ddd } .fill { height: 10px; width: 62%; background: #2a7 }',
    html: '<div class="file"><span>holiday-pictures-of-the-whole-family.zip</span><div class="track"><div class="fill"></div></div><small>62 % of 148 MB</small></div>',
    broken: '.fill { width: 155% }',
  },
  'questions that open': {
    css: '.question { border-bottom: 1px solid #ccc; padding: 10px 0; font-weight: bold } .answer { height: 12vh; overflow: hidden }',
    html: `<div class="question">How often are pages compared?</div><div class="answer">${text}</div><div class="question">What does it cost?</div><div class="answer">${text}</div>`,
    broken: '.answer { height: 0vh }',
  },
  'notes beside an article': {
    css: '.wrap { position: relative; width: 900px; min-height: 360px } .article { width: 62% } .notes { position: absolute; right: 0; top: 0; width: 34%; background: #fff6d8; padding: 8px; box-sizing: border-box }',
    html: `<div class="wrap"><div class="article"><h2>How proofs are made</h2><p>${text.repeat(5)}</p></div><div class="notes"><b>Notes</b><p>${text}</p></div></div>`,
    broken: '.notes { width: 88% }',
  },
  'rows of a table': {
    css: '.grid { width: 640px } .row { display: flex; border-bottom: 1px solid #ddd } .row div { padding: 8px; width: 33% } .row { transform: translateY(0%) }',
    html: '<div class="grid"><div class="row"><div>Name</div><div>Role</div><div>City</div></div><div class="row"><div>Grace Hopper</div><div>Rear admiral</div><div>New York</div></div><div class="row"><div>Ada Lovelace</div><div>Mathematician</div><div>London</div></div></div>',
    broken: '.row:nth-child(3) { transform: translateY(-90%) }',
  },
  'headline of a card': {
    css: '.news { width: 320px; border: 1px solid #ccc; padding: 12px } .news h3 { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; width: 100%; margin: 0 0 8px }',
    html: `<div class="news"><h3>Short headline</h3><p>${text}</p></div><div class="news"><h3>Another one</h3><p>${text}</p></div>`,
    broken: '.news h3 { width: 12% }',
  },
  'footer under a short page': {
    css: 'main { min-height: 60vh } .foot { background: #333; color: #ddd; padding: 20px; margin-top: 2vh }',
    html: `<main><h1>Thank you</h1><p>${text.repeat(6)}</p><ul><li>Order 4711</li><li>Paid by invoice</li></ul></main><div class="foot">Terms of service and privacy, contact, imprint</div>`,
    broken: '.foot { margin-top: -30vh }',
  },
  'picture beside a text': {
    css: '.media { display: flex; width: 760px; gap: 20px } .picture { flex: 0 0 40%; height: 200px; background: linear-gradient(90deg, #6cf, #36c) } .media p { margin: 0 }',
    html: `<div class="media"><div class="picture"></div><p>${text.repeat(4)}</p></div>`,
    broken: '.picture { flex-basis: 4% }',
  },
  'dialog over a page': {
    css: '.shade { position: fixed; inset: 0; background: #0006 } .dialog { position: absolute; left: 50%; top: 50%; transform: translate(-50%, -50%); width: 400px; background: #fff; padding: 20px; border-radius: 8px } .dialog footer { text-align: right }',
    html: `<p>${text.repeat(3)}</p><div class="shade"><div class="dialog"><h2>Delete this baseline?</h2><p>${text}</p><footer><button>Cancel</button> <button>Delete</button></footer></div></div>`,
    broken: '.dialog { left: 98%; transform: translate(-5%, -50%) }',
  },
};

export function htmlOf({ css, html }, more = '') {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><style>body { font-family: sans-serif; margin: 8px } ${css} ${more}</style><body>${html}</body></html>`;
}
