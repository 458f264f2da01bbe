import { z } from 'zod';

/** Schema of an error in a record or a response. The codes are those of `ErrorCode`; later versions may add some. */
export const problemSchema = z.strictObject({
  code: z.string(),
  where: z.string(),
  found: z.string(),
  advice: z.string(),
});

/** Schema of a problem of a capture or a comparison that is not an error. */
export const warningSchema = z.strictObject({ code: z.string(), message: z.string() });

/** Names the first wrong value of data that another program or version wrote. The messages of zod are not for users. */
export function describeWrongData({ issues: [first] }: z.ZodError): string {
  const path = first?.path.join('.');
  return path ? `${path} is missing or has an unexpected value` : 'it has an unexpected form';
}
