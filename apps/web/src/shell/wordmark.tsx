import classes from './wordmark.module.css';

export const Wordmark = () => (
  <span className={classes.wordmark}>
    <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="currentColor" />
      <path d="M8 23V10l8 8 8-8v13" className={classes.sign} />
    </svg>
    <span>Muster</span>
  </span>
);
