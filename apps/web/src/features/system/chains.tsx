// The hash chain of each sandbox: its length, its head and the result of verification.
import { Alert, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { ApiOutputs } from '../../api/client.ts';
import { api, trpc } from '../../api/client.ts';
import { notifyError } from '../../api/notify.ts';
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

type CheckResultProps = { sandboxId: string; result: CheckedChain | undefined };

const CheckResult = ({ sandboxId, result }: CheckResultProps) => {
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

type Answer = ApiOutputs['verification']['check'];
type CheckedChain = Answer & { at: string };

type Running = { done: number; total: number | undefined };

/** Small enough for smooth progress and a quick cancellation. */
const CHUNK = 2000;

/** Verifies chains in chunks, so that the dialog shows progress and can cancel. */
const useVerification = () => {
  const [running, setRunning] = useState<Running | null>(null);
  const [results, setResults] = useState<ReadonlyMap<string, CheckedChain>>(new Map());
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const verify = async (sandboxIds: readonly string[]): Promise<void> => {
    const controller = new AbortController();
    stop.current = controller;
    setRunning({ done: 0, total: undefined });
    try {
      for (const sandboxId of sandboxIds) {
        const answer = await checkChain(sandboxId, controller.signal, setRunning);
        if (!answer) break;
        const checked = { ...answer, at: new Date().toISOString() };
        setResults((known) => new Map(known).set(sandboxId, checked));
      }
    } catch (error) {
      if (!controller.signal.aborted) notifyError(error, 'The check did not finish');
    } finally {
      setRunning(null);
    }
  };
  return { running, results, verify, cancel: () => stop.current?.abort() };
};

/** Null if the user cancelled. */
const checkChain = async (
  sandbox_id: string,
  signal: AbortSignal,
  report: (running: Running) => void,
): Promise<Answer | null> => {
  let after_seq = 0;
  while (!signal.aborted) {
    const input = { sandbox_id, after_seq, limit: CHUNK };
    const answer = await api.verification.check.query(input, { signal });
    if (answer.done) return answer;
    after_seq = answer.checked_to_seq;
    report({ done: after_seq, total: answer.head_seq });
  }
  return null;
};
