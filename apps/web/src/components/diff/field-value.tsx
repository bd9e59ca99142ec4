import classes from './change-table.module.css';

/** A value of a record as text: strings as they are, the rest as JSON. */
export const FieldValue = ({ value }: { value: unknown }) => {
  if (value === undefined) return <span className={classes.absent}>–</span>;
  if (value === '') return <span className={classes.absent}>empty text</span>;
  if (typeof value === 'string') return <span className={classes.value}>{value}</span>;
  return <code className={classes.value}>{JSON.stringify(value, null, 1)}</code>;
};
