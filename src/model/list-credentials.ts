import { z } from 'zod';

/** What a page is given so that it lets us in, as a user writes it. */
export type CredentialsInput = z.infer<typeof credentialsSchema>;
/** A cookie as a user writes it, in its long form. */
export type CookieInput = z.infer<typeof cookieSchema>;

const headerValue = z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'one line of Latin letters');
const cookieName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'a word of letters, digits and dashes');
const cookieValue = z.string().regex(/^[\x20-\x3a\x3c-\x7e]*$/, 'one line of ASCII letters without ";"');

const cookieSchema = z.strictObject({
  name: cookieName,
  value: cookieValue,
  path: z
    .string()
    .regex(/^\/[\x20-\x3a\x3c-\x7e]*$/, 'a path that begins with /')
    .optional()
    .describe('Default /.'),
  httpOnly: z.boolean().optional().describe('Default false.'),
  secure: z.boolean().optional().describe('Default false.'),
  sameSite: z.enum(['Strict', 'Lax', 'None']).optional().describe('Default Lax.'),
});

/** The fields that let us into a page. They stand among its other fields, and in the mapping of `before`. */
export const credentialsSchema = z.strictObject({
  headers: z
    .record(z.string(), headerValue)
    .optional()
    .describe("Headers of requests to the page's own origin: a mapping of name to value."),
  cookies: z
    .union([z.array(cookieSchema), z.record(z.string(), cookieValue)])
    .optional()
    .describe("Cookies for the page's own host: a mapping of name to value, or a list of { name, value, path, ... }."),
  storageState: z
    .string()
    .min(1)
    .optional()
    .describe('A file that Playwright wrote with storageState({ path }); its path is relative to the list.'),
  httpCredentials: z
    .strictObject({ username: z.string().min(1), password: z.string() })
    .optional()
    .describe("A name and a password for HTTP authentication at the page's own origin."),
});
