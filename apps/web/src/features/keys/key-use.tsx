// What a key was used for: its requests of the last days, and the last refused ones.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ApiOutputs } from '../../api/client.ts';
import { trpc } from '../../api/client.ts';
import { QueryState } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time.tsx';
import classes from './key-use.module.css';

type Use = ApiOutputs['keys']['use'];

export const KeyUse = ({ keyId }: { keyId: string }) => {
  const use = useQuery(trpc.keys.use.queryOptions({ key_id: keyId }));
  return (
    <section aria-label="Use of the key">
      <QueryState query={use}>
        {({ days, last_refusals }) => (
          <>
            <Text size="sm" fw={600} mb={4}>
              Requests of the last {days.length} days
            </Text>
            <Days days={days} />
            <Text size="sm" fw={600} mt="sm" mb={4}>
              Last refused requests
            </Text>
            <Refusals refusals={last_refusals} />
          </>
        )}
      </QueryState>
    </section>
  );
};

/** Bars for the eye; every number is text. Days without a request are left out. */
const Days = ({ days }: Pick<Use, 'days'>) => {
  const used = days.filter(({ requests }) => requests > 0);
  const most = Math.max(...used.map(({ requests }) => requests));
  if (used.length === 0) return <p className="hint">None.</p>;
  return (
    <table className={classes.days}>
      <thead>
        <tr>
          <th scope="col">Day (UTC)</th>
          <th scope="col">Requests</th>
          <th scope="col">Refused</th>
        </tr>
      </thead>
      <tbody className="numbers">
        {used.map(({ day, requests, refused }) => (
          <tr key={day}>
            <th scope="row">{day}</th>
            <td>
              <span
                className={classes.bar}
                style={{ width: `${Math.max(1, (60 * requests) / most)}%` }}
              />
              {requests.toLocaleString('en')}
            </td>
            <td>{refused.toLocaleString('en')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const Refusals = ({ refusals }: { refusals: Use['last_refusals'] }) =>
  refusals.length === 0 ? (
    <p className="hint">None.</p>
  ) : (
    <ul className={classes.refusals}>
      {refusals.map(({ at, error_code, target, request_id }) => (
        <li key={`${at} ${request_id}`}>
          <TimeText at={at} /> <code className="mono">{error_code}</code>{' '}
          <span className="anywhere">
            {target}, request {request_id}
          </span>
        </li>
      ))}
    </ul>
  );
