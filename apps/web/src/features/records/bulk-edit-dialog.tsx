import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { useSandboxId } from '../../api/sandboxes.ts';
import { Dialog } from '../../ui/dialogs.tsx';
import { FormError, ReasonInput } from '../../ui/forms.tsx';
import { Icon } from '../../ui/icons.tsx';
import { usePlannedSet } from '../change-sets/planned-set.ts';
import { SetPreview } from '../change-sets/set-preview.tsx';
import { EditFields } from './edit-fields.tsx';
import type { EditDraft } from './record-edits.ts';
import { NEW_EDIT, readEdit, titleOf } from './record-edits.ts';
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
  const [reason, setReason] = useState('');
  const [isTried, setTried] = useState(false);
  const planned = usePlannedSet(sandbox);
  const read = drafts.map((draft) => readEdit(kind, draft, known));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const edits = read.flatMap((each) => ('edit' in each ? each.edit : []));
    if (edits.length < drafts.length || planned.isCreating) return;
    planned.create({
      title: titleOf(edits),
      reason: reason.trim() || undefined,
      matching: toMatching(kind, target, { operation: 'update', edits }),
    });
  };
  const release = (isApplied: boolean) => {
    if (isApplied) onDone();
    planned.release();
    onClose();
  };
  const close = () => {
    planned.discard();
    onClose();
  };
  return (
    <Dialog opened onClose={close} size="xl" title={`Edit ${describeTarget(kind, target)}`}>
      {planned.set ? (
        <SetPreview set={planned.set} back="Back" onDiscard={planned.discard} onRelease={release} />
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack gap="sm">
            <FormError error={planned.error} fields={[]} />
            {drafts.map((draft, index) => (
              <EditFields
                key={draft.id}
                kind={kind}
                known={known}
                draft={draft}
                hasFocus={index === drafts.length - 1}
                problem={isTried ? findProblem(read[index]) : undefined}
                onChange={(part) => setDrafts(drafts.with(index, { ...draft, ...part }))}
                onRemove={
                  drafts.length > 1 ? () => setDrafts(drafts.toSpliced(index, 1)) : undefined
                }
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
            <ReasonInput
              description="Shown in the history of each record. Optional."
              value={reason}
              onChange={setReason}
            />
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={planned.isCreating}>
                Preview
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  );
};

const findProblem = (read: ReturnType<typeof readEdit> | undefined) =>
  read && 'problem' in read ? read.problem : undefined;
