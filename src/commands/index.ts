/** The command line. Other folders import this door, and nothing behind it. */

export { main } from './main.js';
