/** The report's style, but for the places of its close-ups; nothing is loaded from anywhere. */
export const STYLE = `
:root { color-scheme: light dark; --back: #f6f6f4; --card: #fff; --text: #1c1d1f; --soft: #62656b; --line: #dedfdc;
  --error: #b42318; --unstable: #9a5b00; --changed: #b42318; --new: #1d5fc4; --passed: #1f7a3d; --skipped: #62656b;
  --checker: #ecece8; }
@media (prefers-color-scheme: dark) { :root { --back: #141517; --card: #1d1f22; --text: #e8e8e6; --soft: #a2a5ab;
  --line: #33363b; --error: #ff8a7a; --unstable: #f2b24d; --changed: #ff8a7a; --new: #84b6ff; --passed: #6fd08c;
  --skipped: #a2a5ab; --checker: #26282c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main, header { max-width: 1500px; margin: 0 auto; padding: 0 24px; }
header { padding-top: 28px; }
h1 { font-size: 24px; line-height: 1.3; margin: 0 0 4px; }
h2 { font-size: 17px; margin: 0; overflow-wrap: anywhere; }
p { margin: 4px 0; overflow-wrap: anywhere; }
a { color: inherit; text-decoration-color: var(--soft); text-underline-offset: 2px; }
code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 13px; }
.soft { color: var(--soft); }
.counts { display: flex; flex-wrap: wrap; gap: 8px; padding: 0; margin: 18px 0; list-style: none; }
.counts li { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 6px 14px; min-width: 84px; }
.counts b { display: block; font-size: 20px; font-variant-numeric: tabular-nums; }
.counts .zero { opacity: .55; }
.problem { background: var(--card); border: 1px solid var(--error); border-left-width: 5px; border-radius: 8px;
  padding: 10px 16px; margin: 12px 0; }
.shot { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px 20px; margin: 18px 0; }
.title { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 10px; margin-bottom: 6px; }
.badge { border: 1px solid currentColor; border-radius: 99px; padding: 0 10px; font-size: 13px; font-weight: 600; }
.error { color: var(--error); } .unstable { color: var(--unstable); } .changed { color: var(--changed); }
.new { color: var(--new); } .passed { color: var(--passed); } .skipped, .flag { color: var(--skipped); }
.reason { font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 10px 0 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.images { display: grid; grid-template-columns: repeat(auto-fit, minmax(240px, 1fr)); gap: 14px; margin-top: 14px; }
figure { margin: 0; min-width: 0; } figcaption { margin-bottom: 6px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.frame { display: block; max-height: 640px; overflow: auto; border: 1px solid var(--line); border-radius: 6px;
  background: repeating-conic-gradient(var(--checker) 0 25%, transparent 0 50%) 0 0 / 20px 20px; }
.frame img { display: block; width: 100%; height: auto; }
.close-up { display: block; height: 220px; margin-bottom: 8px; border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
.close-up img { display: block; width: 100%; height: 100%; object-fit: none; }
.none { padding: 40px 16px; text-align: center; color: var(--soft); border: 1px dashed var(--line); border-radius: 6px; }
details { margin: 18px 0; background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 12px 20px; }
summary { cursor: pointer; font-weight: 600; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin-top: 10px; font-size: 14px; }
th, td { text-align: left; vertical-align: top; padding: 6px 14px 6px 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 500; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
footer { color: var(--soft); padding: 12px 0 40px; }
`;
