import { Link } from '@tanstack/react-router';
import { Permitted } from '../../access/permitted.tsx';
import { CopyableId } from '../../components/ids/copyable-id.tsx';
import classes from './chain-head.module.css';

type ChainHeadProps = { seq: number; hash: string | undefined };

/** What proves the history up to now, for whoever keeps it elsewhere. */
export const ChainHead = ({ seq, hash }: ChainHeadProps) => (
  <section className={classes.panel} aria-labelledby="chain-head">
    <h2 id="chain-head">Head of the history</h2>
    <p>
      Every version carries a hash over the one before it, so that nobody can change the past
      unseen. Keep this hash outside of Muster: it proves all{' '}
      <b className="numbers">{seq.toLocaleString('en')}</b> versions up to now.
    </p>
    {hash && <CopyableId id={hash} label="head hash" short />}
    <Permitted anyOf={['metrics:view']}>
      <p>
        <Link to="/system">Verify the history</Link>
      </p>
    </Permitted>
  </section>
);
