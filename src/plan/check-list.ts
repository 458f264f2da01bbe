import { nearest } from './nearest.js';
