import { render } from 'preact';
import { App } from './app.js';
import { readSession, readView } from './page-data.js';

const root = document.getElementById('proofsheet');
if (root) render(<App view={readView()} session={readSession()} />, root);
