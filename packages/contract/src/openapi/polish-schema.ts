// Says in a schema what its readers need, and leaves out what only validators of zod's kind understand.
import type { ZodOpenApiOverride } from 'zod-openapi';

/** Their format says it; the patterns are long and their dialect of expressions is not everyone's. */
const FORMATS_WITHOUT_PATTERN = new Set(['uuid', 'date-time']);

export const polishSchema: ZodOpenApiOverride = ({ jsonSchema }) => {
  if (FORMATS_WITHOUT_PATTERN.has(jsonSchema.format ?? '')) delete jsonSchema.pattern;
  // Fields may be added to answers: a closed object would make every addition a breaking change.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  // Generators take an integer without a format for 32 bits.
  if (jsonSchema.type === 'integer' && (jsonSchema.maximum ?? 0) > MAX_INT32) {
    jsonSchema.format = 'int64';
  }
};

const MAX_INT32 = 2 ** 31 - 1;
