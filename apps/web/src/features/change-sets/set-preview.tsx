// The preview of a change set in the dialog that made it, with the actions of the change set.
import { Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSandbox } from '../../api/sandboxes.ts';
import { LinkButton } from '../../ui/action-button.tsx';
import { ChangeSetActions } from './change-set-actions.tsx';
import { ChangeSetPreview } from './change-set-content.tsx';
import type { ChangeSet } from './change-set-queries.ts';
import { changeSetOptions } from './review-queries.ts';

type SetPreviewProps = {
  set: ChangeSet;
  /** The set can have records of both kinds. */
  hasKinds?: boolean;
  /** The label of the button that discards the set. */
  back: string;
  onDiscard: () => void;
  /** The set is no longer this dialog's: it was applied or submitted, or has a page of its own. */
  onRelease: (isApplied: boolean) => void;
  /** Called when an application of the set starts and when it ends. */
  onApplying?: (isApplying: boolean) => void;
};

export const SetPreview = (props: SetPreviewProps) => {
  const { set: made, hasKinds = false, back, onDiscard, onRelease, onApplying } = props;
  const { sandbox_id, change_set_id } = made;
  const sandbox = useSandbox(sandbox_id);
  const { data: set } = useQuery(changeSetOptions(sandbox_id, change_set_id));
  return (
    <Stack gap="sm">
      <ChangeSetPreview set={set ?? made} hasKinds={hasKinds} isInDialog />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onDiscard}>
          {back}
        </Button>
        <LinkButton
          to="/s/$sandbox/change-sets/$id"
          params={{ sandbox: sandbox_id, id: change_set_id }}
          // The page that made the set has nothing more to save.
          ignoreBlocker
          onClick={() => onRelease(false)}
        >
          Keep as a change set
        </LinkButton>
        {sandbox && set && (
          <ChangeSetActions
            set={set}
            sandbox={sandbox}
            onApplied={() => onRelease(true)}
            onApplying={onApplying}
          />
        )}
      </Group>
    </Stack>
  );
};
