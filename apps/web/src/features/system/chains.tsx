// The hash chain of each sandbox: its length, its head and the result of verification.
import { Alert, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ApiOutputs } from '../../api/client.ts';
import { trpc } from '../../api/client.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { CopyableId } from '../../ui/copyable.tsx';
import { ProgressDialog } from '../../ui/dialogs.tsx';
import { Tag } from '../../ui/facts.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time.tsx';
import { VersionLink } from '../records/record-links.tsx';
import { formatCount } from './chart-data.ts';
import { describeBroken, describeFound } from './describe-broken.ts';
import { PlainTable } from './plain-table.tsx';
import type { Running } from './verification.ts';
import { useVerification, useVerified } from './verification.ts';

type Chain = ApiOutputs['system']['get']['chains'][number];

const HEAD = [
  { label: 'Sandbox' },
  { label: 'Versions', align: 'end' },
  { label: 'Head hash' },
  { label: 'Verified' },
  { label: 'Check' },
] as const;

export const ChainsSection = ({ chains }: { chains: readonly Chain[] }) => {
  const { running, verify, cancel } = useVerification();
  const verifyAll = () => verify(chains.map(({ sandbox_id }) => sandbox_id));
  if (chains.length === 0) return <EmptyState title="No sandboxes yet" />;
  return (
    <>
      <Text size="sm" maw="46rem">
        Each version is hashed together with the one before it, so that changes made directly in the
        database are detected. Copy the head hash and keep it elsewhere, in a ticket or an e-mail:
        it proves the whole history up to it, even if someone rewrites the database.
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
            <CheckResult key="result" sandboxId={chain.sandbox_id} />,
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
      <CheckProgress running={running} onCancel={cancel} />
    </>
  );
};

type CheckProgressProps = { running: Running | null; onCancel: () => void };

export const CheckProgress = ({ running, onCancel }: CheckProgressProps) => (
  <ProgressDialog
    opened={running !== null}
    title="Checking versions"
    done={running?.done ?? 0}
    total={running?.total}
    onCancel={onCancel}
  />
);

export const CheckResult = ({ sandboxId }: { sandboxId: string }) => {
  const result = useVerified(sandboxId);
  if (!result) return 'not yet';
  const { broken } = result;
  if (!broken) {
    return (
      <span role="status">
        <Tag tone="good">intact</Tag> <TimeText at={result.at} />
      </span>
    );
  }
  return (
    <Alert color="red" role="alert" title={`Broken at version ${broken.seq}`}>
      <p>{describeBroken(broken.what)}</p>
      {broken.version_id && (
        <BrokenVersionLink sandboxId={sandboxId} versionId={broken.version_id} />
      )}
      {broken.expected !== undefined && (
        <p>
          Expected <FoundValue label="expected value" what={broken.what} value={broken.expected} />
        </p>
      )}
      {broken.found !== undefined && (
        <p>
          Found <FoundValue label="found value" what={broken.what} value={broken.found} />
        </p>
      )}
    </Alert>
  );
};

type BrokenVersionLinkProps = { sandboxId: string; versionId: string };

/** Links to the history of the record, with the broken version open. */
const BrokenVersionLink = ({ sandboxId, versionId }: BrokenVersionLinkProps) => {
  const { data } = useQuery(
    trpc.versions.get.queryOptions({ sandbox_id: sandboxId, version_id: versionId }),
  );
  if (!data) return <CopyableId id={versionId} label="version id" short />;
  return (
    <p>
      <VersionLink sandbox={sandboxId} version={data}>
        {data.name}, version {data.version}
      </VersionLink>
    </p>
  );
};

/** Shortens hashes and ids, with a button to copy them. Shows other values in full. */
const LONG = /^[0-9a-f-]{32,}$/;

type FoundValueProps = { label: string; what: string; value: string };

const FoundValue = ({ label, what, value }: FoundValueProps) =>
  LONG.test(value) ? <CopyableId id={value} label={label} short /> : describeFound(what, value);
