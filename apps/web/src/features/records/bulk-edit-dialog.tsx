import { Button } from '@mantine/core';
import { useState } from 'react';
import { useSandboxId } from '../../api/sandboxes.ts';
import { Icon } from '../../ui/icons.tsx';
import { PlanDialog } from '../change-sets/plan-dialog.tsx';
import { usePlannedSet } from '../change-sets/planned-set.ts';
import { fieldsOf, findSharedField, useItemSchemas } from '../schemas/schema-queries.ts';
import { EditFields } from './edit-fields.tsx';
import type { EditDraft } from './record-edits.ts';
import { NEW_EDIT, readCustomKey, readEdit, titleOf } from './record-edits.ts';
import type { RecordKind, StoredRecord } from './record-kind.ts';
import type { RecordTarget } from './record-target.ts';
import { describeTarget, toMatching } from './record-target.ts';

type BulkEditDialogProps = {
  kind: RecordKind;
  target: RecordTarget;
  /** Loaded records, whose custom data is suggested. */
  known: readonly StoredRecord[];
  onDone: () => void;
  onClose: () => void;
};

const MAX_EDITS = 10;

/** Describes a change of many records, then previews and applies it as a change set. */
export const BulkEditDialog = (props: BulkEditDialogProps) => {
  const { kind, target, known, onDone, onClose } = props;
  const sandbox = useSandboxId();
  const [drafts, setDrafts] = useState<readonly EditDraft[]>([NEW_EDIT]);
  const [isTried, setTried] = useState(false);
  const planned = usePlannedSet(sandbox);
  const { data } = useItemSchemas(kind.kind);
  const typeOf = (record: StoredRecord) => ('item_type' in record ? record.item_type : []);
  const types = [...new Set(known.flatMap(typeOf))];
  const hasEveryType = knowsEveryType(target, known.length);
  const schemaFields = drafts.map(({ field }) => {
    const key = readCustomKey(kind, field);
    return key !== undefined && hasEveryType ? findSharedField(data, types, key) : undefined;
  });
  const schemaKeys = types.flatMap((type) => fieldsOf(data, type).map(({ key }) => key));
  const read = drafts.map((draft, index) => readEdit(kind, draft, known, schemaFields[index]));
  const preview = (reason: string | undefined) => {
    setTried(true);
    const edits = read.flatMap((each) => ('edit' in each ? each.edit : []));
    if (edits.length < drafts.length) return;
    const matching = toMatching(kind, target, { operation: 'update', edits });
    planned.create({ title: titleOf(edits), reason, matching });
  };
  return (
    <PlanDialog
      title={`Edit ${describeTarget(kind, target)}`}
      planned={planned}
      onPreview={preview}
      onApplied={onDone}
      onClose={onClose}
    >
      {drafts.map((draft, index) => (
        <EditFields
          key={draft.id}
          kind={kind}
          known={known}
          schemaKeys={schemaKeys}
          schemaField={schemaFields[index]}
          draft={draft}
          hasFocus={index === drafts.length - 1}
          problem={isTried ? findProblem(read[index]) : undefined}
          onChange={(part) => setDrafts(drafts.with(index, { ...draft, ...part }))}
          onRemove={drafts.length > 1 ? () => setDrafts(drafts.toSpliced(index, 1)) : undefined}
        />
      ))}
      <Button
        variant="subtle"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<Icon name="plus" size={14} />}
        disabled={drafts.length >= MAX_EDITS}
        onClick={() => {
          setTried(false);
          setDrafts([...drafts, { ...NEW_EDIT, id: (drafts.at(-1)?.id ?? 0) + 1 }]);
        }}
      >
        Change another field
      </Button>
    </PlanDialog>
  );
};

/** If not, the schemas of the loaded records do not limit the values: other records may have other item types. */
const knowsEveryType = (target: RecordTarget, loaded: number): boolean =>
  'ids' in target ||
  target.filter.item_type !== undefined ||
  (target.total !== undefined && target.total <= loaded);

const findProblem = (read: ReturnType<typeof readEdit> | undefined) =>
  read && 'problem' in read ? read.problem : undefined;
