import { Alert } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import classes from './compare-sandboxes.module.css';
import { describePromotion } from './describe-promotion.ts';
import type { Promoted } from './promote-panel.tsx';

type PromotedNoteProps = { promoted: Promoted; onClose: () => void };

export const PromotedNote = ({ promoted, onClose }: PromotedNoteProps) => {
  const { answer, comparison } = promoted;
  return (
    <Alert
      className={classes.note}
      color="green"
      role="status"
      title={`Promoted into ${comparison.target.name}: ${describePromotion(answer, comparison)}`}
      withCloseButton
      onClose={onClose}
    >
      {answer.transaction_id && (
        <Link
          to="/s/$sandbox/history"
          params={{ sandbox: comparison.target.sandbox_id }}
          search={{ transaction_id: answer.transaction_id }}
        >
          See every change in the history
        </Link>
      )}
    </Alert>
  );
};
