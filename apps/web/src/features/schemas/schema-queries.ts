// The schemas of the sandbox, which forms and the page of schemas share.
import type { SchemaField } from '@muster/contract';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/client.ts';
import { useSandboxId } from '../../api/sandboxes.ts';

export const useItemSchemas = () =>
  useQuery(trpc.itemSchemas.list.queryOptions({ sandbox_id: useSandboxId() }));

type Schemas = { schemas: readonly { item_type: string; fields: readonly SchemaField[] }[] };

const NO_FIELDS: readonly SchemaField[] = [];

/** Empty without a schema, and until the schemas are loaded. */
export const fieldsOf = (schemas: Schemas | undefined, itemType: string): readonly SchemaField[] =>
  schemas?.schemas.find(({ item_type }) => item_type === itemType)?.fields ?? NO_FIELDS;
