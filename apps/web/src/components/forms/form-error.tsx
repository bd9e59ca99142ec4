import { Alert } from '@mantine/core';
import { toApiError } from '../../api/api-error.ts';
import { listOtherProblems } from '../../api/field-errors.ts';
import { CopyableId } from '../ids/copyable-id.tsx';

type FormErrorProps = {
  /** Nothing is shown without one. */
  error: unknown;
  /** Fields of the form: their problems stand beside them, and are not repeated here. */
  fields: readonly string[];
};

/** Above a form: the service's reason in full, and every problem that has no field. */
export const FormError = ({ error, fields }: FormErrorProps) => {
  if (!error) return null;
  const facts = toApiError(error);
  const problems = listOtherProblems(facts, fields);
  const title = facts.code === 'input_invalid' ? 'Some fields need another look.' : facts.desc;
  return (
    <Alert color="red" role="alert" title={title}>
      {problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
      {facts.requestId && (
        <span>
          Request <CopyableId id={facts.requestId} label="request id" short />
        </span>
      )}
    </Alert>
  );
};
