// The schemas of the sandbox, which forms and the page of schemas share.
import type { SchemaField } from '@muster/contract';
import { useQuery } from '@tanstack/react-query';
import type { ApiOutputs } from '../../api/client.ts';
import { trpc } from '../../api/client.ts';
import { useSandboxId } from '../../api/sandboxes.ts';

export type ItemSchema = ApiOutputs['itemSchemas']['get'];

/** Loads nothing for Xp tables, which have no schemas. */
export const useItemSchemas = (kind: 'item' | 'xp' = 'item') =>
  useQuery({
    ...trpc.itemSchemas.list.queryOptions({ sandbox_id: useSandboxId() }),
    enabled: kind === 'item',
  });

export type Schemas = { schemas: readonly { item_type: string; fields: readonly SchemaField[] }[] };

const NO_FIELDS: readonly SchemaField[] = [];

/** Empty without a schema, and until the schemas are loaded. */
export const fieldsOf = (schemas: Schemas | undefined, itemType: string): readonly SchemaField[] =>
  schemas?.schemas.find(({ item_type }) => item_type === itemType)?.fields ?? NO_FIELDS;

/** The field of a key, if all of these item types whose schema has the key accept the same values. */
export const findSharedField = (
  schemas: Schemas | undefined,
  itemTypes: Iterable<string>,
  key: string,
): SchemaField | undefined => {
  const found = [...new Set(itemTypes)].flatMap(
    (type) => fieldsOf(schemas, type).find((field) => field.key === key) ?? [],
  );
  const [first] = found;
  const values = (field: SchemaField) =>
    JSON.stringify([field.type, field.choices, field.references]);
  return first && found.every((field) => values(field) === values(first)) ? first : undefined;
};
