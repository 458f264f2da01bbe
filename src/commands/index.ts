/** The command line. Other folders import this door, and nothing behind it. */

export { main } from './main.js';
export { checkRemoteFlags, createListBrowser, type ListBrowser, resolveLaunch } from './setup/project-browsers.js';
