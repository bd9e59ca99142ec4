// The chain of each sandbox: how long it is, its head, and whether it is as it was written.
import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ActionButton } from '../../../access/action-button.tsx';
import type { ApiOutputs } from '../../../api/trpc.ts';
import { ProgressDialog } from '../../../components/dialogs/progress-dialog.tsx';
import { CopyableId } from '../../../components/ids/copyable-id.tsx';
import { EmptyState } from '../../../components/states/empty-state.tsx';
import { formatCount } from '../format-numbers.ts';
import { PlainTable } from '../plain-table.tsx';
import { CheckResult } from './check-result.tsx';
import { useVerification } from './use-verification.ts';

type Chain = ApiOutputs['system']['get']['chains'][number];

const HEAD = [
  { label: 'Sandbox' },
  { label: 'Versions', align: 'end' },
  { label: 'Head hash' },
  { label: 'Verified' },
  { label: 'Check' },
] as const;

export const ChainsSection = ({ chains }: { chains: readonly Chain[] }) => {
  const { running, results, verify, cancel } = useVerification();
  const verifyAll = () => verify(chains.map(({ sandbox_id }) => sandbox_id));
  if (chains.length === 0) return <EmptyState title="There is no sandbox yet" />;
  return (
    <>
      <Text size="sm" maw="46rem">
        Each version is hashed together with the one before it, so that a change behind the
        service's back shows. Copy the head hash and keep it elsewhere, in a ticket or a mail: it
        proves the whole history up to it, even against somebody who rewrites the database.
      </Text>
      <PlainTable
        label="Histories of the sandboxes"
        head={HEAD}
        rows={chains.map((chain) => ({
          id: chain.sandbox_id,
          cells: [
            <Link key="name" to="/s/$sandbox" params={{ sandbox: chain.sandbox_id }}>
              {chain.name}
            </Link>,
            formatCount(chain.head_seq),
            chain.head_hash ? (
              <CopyableId key="hash" id={chain.head_hash} label="head hash" short />
            ) : (
              '–'
            ),
            <CheckResult
              key="result"
              sandboxId={chain.sandbox_id}
              result={results.get(chain.sandbox_id)}
            />,
            <ActionButton
              key="verify"
              variant="default"
              anyOf={['sandbox:config:view', 'sandbox:config:edit']}
              sandbox={chain.sandbox_id}
              aria-label={`Verify ${chain.name}`}
              onClick={() => verify([chain.sandbox_id])}
            >
              Verify
            </ActionButton>,
          ],
        }))}
      />
      {chains.length > 1 && (
        <Button variant="default" mt="xs" onClick={verifyAll}>
          Verify all
        </Button>
      )}
      <ProgressDialog
        opened={running !== null}
        title="Checking versions"
        done={running?.done ?? 0}
        total={running?.total}
        onCancel={cancel}
      />
    </>
  );
};
