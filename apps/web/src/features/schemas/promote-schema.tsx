// Copies the schema of an item type to another sandbox, after a preview of what changes there.
import { NativeSelect, Stack, Text } from '@mantine/core';
import { permits } from '@muster/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, trpc } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import type { Sandbox } from '../../api/sandboxes.ts';
import { useSandboxes, useSandboxId } from '../../api/sandboxes.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { ConfirmDialog } from '../../ui/dialogs.tsx';
import { ReasonInput } from '../../ui/forms.tsx';
import { QueryState } from '../../ui/states.tsx';
import type { SchemaChanges } from './schema-changes.ts';
import { compareFields, hasChanges } from './schema-changes.ts';
import type { ItemSchema } from './schema-queries.ts';

type PromoteSchemaProps = {
  /** The stored one. */
  schema: ItemSchema;
  typeName: string;
};

export const PromoteSchema = (props: PromoteSchemaProps) => {
  const [isOpen, setOpen] = useState(false);
  const targets = useTargets();
  const reason = targets.length === 0 && 'There is no other sandbox that your account may edit.';
  return (
    <>
      <ActionButton variant="default" reason={reason} onClick={() => setOpen(true)}>
        Promote version {props.schema.version} …
      </ActionButton>
      {isOpen && <PromoteDialog {...props} targets={targets} onClose={() => setOpen(false)} />}
    </>
  );
};

const useTargets = (): Sandbox[] => {
  const source = useSandboxId();
  const { permissions } = useMe();
  return useSandboxes().filter(
    ({ sandbox_id }) =>
      sandbox_id !== source && permits(permissions, ['sandbox:config:edit'], sandbox_id),
  );
};

type PromoteDialogProps = PromoteSchemaProps & {
  targets: readonly Sandbox[];
  onClose: () => void;
};

const PromoteDialog = ({ schema, typeName, targets, onClose }: PromoteDialogProps) => {
  const source_sandbox_id = useSandboxId();
  const [targetId, setTargetId] = useState('');
  const [reason, setReason] = useState('');
  const target = targets.find(({ sandbox_id }) => sandbox_id === targetId);
  const item_type = schema.item_type as 'unit';
  const query = useQuery({
    ...trpc.itemSchemas.get.queryOptions({ sandbox_id: targetId, item_type }),
    enabled: target !== undefined,
  });
  const changes = query.data && compareFields(query.data.fields, schema.fields);
  const promote = () =>
    api.itemSchemas.promote.mutate({
      sandbox_id: targetId,
      source_sandbox_id,
      item_type,
      expected_version: query.data?.version ?? 0,
      expected_source_version: schema.version,
      reason: reason.trim() || undefined,
    });
  return (
    <ConfirmDialog
      title={`Promote the schema of ${typeName}`}
      action="Promote"
      isDisabled={!changes || !hasChanges(changes)}
      sandbox={target}
      invalidates={[trpc.itemSchemas.pathKey()]}
      done={`The schema of ${typeName} was promoted to ${target?.name}.`}
      onConfirm={promote}
      onClose={onClose}
    >
      <Stack gap="sm">
        <NativeSelect
          label="To"
          data-autofocus
          data={[
            { value: '', label: 'Choose a sandbox' },
            ...targets.map(({ sandbox_id, name }) => ({ value: sandbox_id, label: name })),
          ]}
          value={targetId}
          onChange={(event) => setTargetId(event.currentTarget.value)}
        />
        {target && (
          <QueryState query={query}>
            {() => changes && <Preview changes={changes} target={target} />}
          </QueryState>
        )}
        <ReasonInput
          description="Shown with the version. Optional."
          value={reason}
          onChange={setReason}
        />
      </Stack>
    </ConfirmDialog>
  );
};

type PreviewProps = { changes: SchemaChanges; target: Sandbox };

const Preview = ({ changes, target }: PreviewProps) => {
  const { added, changed, removed, isReordered } = changes;
  if (!hasChanges(changes)) return <Text size="sm">{target.name} has the same schema.</Text>;
  return (
    <section aria-label={`Changes in ${target.name}`} style={{ overflowWrap: 'anywhere' }}>
      <Text size="sm" fw={600}>
        Changes in {target.name}
      </Text>
      <ul>
        {added.map((key) => (
          <li key={key}>{key}: added</li>
        ))}
        {changed.map(({ key, parts }) => (
          <li key={key}>
            {key}: {parts.join('; ')}
          </li>
        ))}
        {removed.map((key) => (
          <li key={key}>{key}: removed</li>
        ))}
        {isReordered && <li>The fields get another order.</li>}
      </ul>
      <Text size="sm" c="dimmed">
        This changes no Item. Items with values that do not fit are listed in {target.name}.
      </Text>
    </section>
  );
};
