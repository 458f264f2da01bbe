import { type Html, html } from './html.js';
import { type Described, type DescribedCall, type DescribedField, describeCalls, SERVICE_FAILURES } from './openapi.js';

/** Renders the page that tells what the service can be asked for. Nothing runs in it, and it loads nothing. */
export function renderApiPage({ version, keyHeader, hasKeys }: Described): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>proofsheet: the capture service</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
code, pre { font-family: ui-monospace, monospace; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid; padding: .3rem .8rem .3rem 0; text-align: left; vertical-align: top; }
</style>
</head>
<body>
<main>
<h1>proofsheet ${version}: the capture service</h1>
<p>Requests are JSON, sent by POST. ${hasKeys ? html`A key comes in the header <code>${keyHeader}</code>.` : 'No key is needed.'}
For programs: <a href="openapi.json">openapi.json</a>.</p>
${describeCalls().map(renderCall)}
<h2>When it cannot be done</h2>
<p>The answer is <code>{ "status": "error", "error": true, "message", "code", "details" }</code>.</p>
<div class="wide" tabindex="0">
<table>
<thead><tr><th>Status</th><th>Meaning</th></tr></thead>
<tbody>${Object.entries(SERVICE_FAILURES).map(([status, meaning]) => html`<tr><td>${status}</td><td>${meaning}</td></tr>\n`)}</tbody>
</table>
</div>
</main>
</body>
</html>
`;
  return page.html;
}

function renderCall({ path, summary, fields }: DescribedCall): Html {
  return html`<h2>${summary}</h2>
<p><code>POST ${path}</code></p>
<div class="wide" tabindex="0">
<table>
<thead><tr><th>Field</th><th>Default</th><th>Meaning</th></tr></thead>
<tbody>${fields.map(renderField)}</tbody>
</table>
</div>
`;
}

function renderField({ name, description, isRequired, default: fallback }: DescribedField): Html {
  const value = fallback === null ? html`${isRequired ? 'required' : ''}` : html`<code>${fallback}</code>`;
  return html`<tr><td><code>${name}</code></td><td>${value}</td><td>${description}</td></tr>\n`;
}
