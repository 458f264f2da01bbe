import { definePages } from 'proofsheet';

definePages('pages.yaml');
