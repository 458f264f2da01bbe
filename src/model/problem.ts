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
