import { Alert } from '@mantine/core';
import { Tag } from '../../../components/tag/tag.tsx';
import { TimeText } from '../../../components/time/time-text.tsx';
import { BrokenVersion } from './broken-version.tsx';
import { describeBroken } from './describe-broken.ts';
import { FoundValue } from './found-value.tsx';
import type { CheckedChain } from './use-verification.ts';

type CheckResultProps = { sandboxId: string; result: CheckedChain | undefined };

export const CheckResult = ({ sandboxId, result }: CheckResultProps) => {
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
      {broken.version_id && <BrokenVersion sandboxId={sandboxId} versionId={broken.version_id} />}
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
