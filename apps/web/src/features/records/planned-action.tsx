// A button that deletes or restores many records as a change set, after its preview.
import { notifyError } from '../../api/notify.ts';
import { useSandboxId } from '../../api/sandboxes.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Dialog } from '../../ui/dialogs.tsx';
import { usePlannedSet } from '../change-sets/planned-set.ts';
import { SetPreview } from '../change-sets/set-preview.tsx';
import type { RecordKind } from './record-kind.ts';
import type { RecordTarget } from './record-target.ts';
import { describeTarget, toMatching } from './record-target.ts';

type PlannedActionButtonProps = {
  kind: RecordKind;
  target: RecordTarget;
  operation: 'delete' | 'restore';
  onDone: () => void;
};

const VERBS = { delete: 'Delete', restore: 'Restore' };

export const PlannedActionButton = (props: PlannedActionButtonProps) => {
  const { kind, target, operation, onDone } = props;
  const sandbox = useSandboxId();
  const planned = usePlannedSet(sandbox);
  const title = `${VERBS[operation]} ${describeTarget(kind, target)}`;
  const release = (isApplied: boolean) => {
    planned.release();
    if (isApplied) onDone();
  };
  return (
    <>
      <ActionButton
        variant="default"
        anyOf={['sandbox:config:edit']}
        sandbox={sandbox}
        loading={planned.isCreating}
        onClick={() =>
          planned.create(
            { title, matching: toMatching(kind, target, { operation }) },
            { onError: (error) => notifyError(error) },
          )
        }
      >
        {VERBS[operation]} …
      </ActionButton>
      {planned.set && (
        <Dialog opened onClose={planned.discard} size="xl" title={title}>
          <SetPreview
            set={planned.set}
            back="Cancel"
            onDiscard={planned.discard}
            onRelease={release}
          />
        </Dialog>
      )}
    </>
  );
};
