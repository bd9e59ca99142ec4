// Parameters as documents and generators want them: one description, lists as repeated keys, examples.
import type { createDocument } from 'zod-openapi';
import { PATH_EXAMPLES } from './examples/path-examples.ts';

type Document = ReturnType<typeof createDocument>;
type Parameter = { name: string; in: string; schema: { type?: unknown; description?: unknown } };

export const polishParameters = (document: Document): void => {
  for (const pathItem of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(pathItem as Record<string, Operation>)) {
      operation.parameters = operation.parameters.map(polishParameter);
    }
  }
};

type Operation = { parameters: Parameter[] };

const polishParameter = ({ schema, ...parameter }: Parameter): Parameter => {
  const { description: _said, ...ownSchema } = schema;
  const example = parameter.in === 'path' ? PATH_EXAMPLES[parameter.name] : undefined;
  return {
    ...parameter,
    ...(schema.type === 'array' && { style: 'form', explode: true }),
    schema: ownSchema,
    ...(example !== undefined && { example }),
  };
};
