/** When an old key or secret stops working after its rotation: seconds as text, for a select. */
export const GRACE_PERIODS = [
  { value: '0', label: 'At once' },
  { value: '3600', label: 'After an hour' },
  { value: '86400', label: 'After a day' },
  { value: '604800', label: 'After a week' },
];
