// The head of the hash chain of a sandbox, and whether it has been verified.
import { Box } from '@mantine/core';
import { ActionButton } from '../../ui/action-button.tsx';
import { CopyableId } from '../../ui/copyable.tsx';
import { CheckProgress, CheckResult } from '../system/chains.tsx';
import { useVerification } from '../system/verification.ts';

type HistoryStateProps = { sandbox: string; seq: number; hash: string | undefined };

/** The hash proves the history up to now. Users can store it elsewhere. */
export const HistoryState = ({ sandbox, seq, hash }: HistoryStateProps) => {
  const { running, verify, cancel } = useVerification();
  return (
    <section aria-labelledby="history-state">
      <h2 id="history-state">Integrity of the history</h2>
      <p>
        Verified: <CheckResult sandboxId={sandbox} />
      </p>
      <ActionButton
        variant="default"
        anyOf={['sandbox:config:view', 'sandbox:config:edit']}
        sandbox={sandbox}
        onClick={() => verify([sandbox])}
      >
        Verify
      </ActionButton>
      <CheckProgress running={running} onCancel={cancel} />
      <Box component="p" m="12px 0 8px" c="dimmed" fz="sm">
        Every version carries a hash over the one before it, so that changes to the past are
        detected. Keep this hash outside of Muster: it proves all{' '}
        <Box component="b" className="numbers" c="var(--mantine-color-text)">
          {seq.toLocaleString('en')}
        </Box>{' '}
        versions up to now.
      </Box>
      {hash && <CopyableId id={hash} label="head hash" short />}
    </section>
  );
};
