import { queryClient } from '../../api/query-client.ts';
import { api, trpc } from '../../api/trpc.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { notifyDone } from '../../components/notify.ts';
import type { PersonAction } from './person-actions.tsx';
import type { Person } from './person-row.ts';

type Confirmed = Exclude<PersonAction, 'role' | 'password'>;

type Question = {
  title: string;
  says: string;
  verb: string;
  done: string;
  run: (account_id: string) => Promise<unknown>;
};

const QUESTIONS: Record<Confirmed, Question> = {
  'two-factor': {
    title: 'Reset the second factor',
    says: 'For somebody who lost the phone and the backup codes. Every sign-in ends; the password alone opens the account until a second factor is set up again.',
    verb: 'Reset second factor',
    done: 'The second factor is off.',
    run: (account_id) => api.people.resetTwoFactor.mutate({ account_id }),
  },
  disable: {
    title: 'Disable the account',
    says: 'Every sign-in ends at once, and no new one is possible. You can enable the account again.',
    verb: 'Disable',
    done: 'The account is disabled.',
    run: (account_id) => api.people.setDisabled.mutate({ account_id, disabled: true }),
  },
  enable: {
    title: 'Enable the account',
    says: 'The person can sign in again, with the role of before.',
    verb: 'Enable',
    done: 'The account is enabled.',
    run: (account_id) => api.people.setDisabled.mutate({ account_id, disabled: false }),
  },
  remove: {
    title: 'Remove the account',
    says: 'This cannot be undone. The name stays in histories and in the audit trail.',
    verb: 'Remove',
    done: 'The account is removed.',
    run: (account_id) => api.people.remove.mutate({ account_id }),
  },
};

type PersonConfirmationProps = {
  person: Person;
  action: PersonAction | null;
  onClose: () => void;
  onRemoved: () => void;
};

export const PersonConfirmation = (props: PersonConfirmationProps) => {
  const { person, action, onClose, onRemoved } = props;
  if (action === null || action === 'role' || action === 'password') return null;
  const { title, says, verb, done, run } = QUESTIONS[action];
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`${title} of ${person.name}?`}
      action={verb}
      isDestructive={action !== 'enable'}
      onConfirm={async () => {
        await run(person.account_id);
        await queryClient.invalidateQueries({ queryKey: trpc.people.pathKey() });
        notifyDone(done);
        if (action === 'remove') onRemoved();
      }}
    >
      {says}
    </ConfirmDialog>
  );
};
