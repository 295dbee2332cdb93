import styles from './try.module.css';

export const Method = ({ method }: { method: string }) => (
  <span className={styles.method} data-method={method}>
    {method}
  </span>
);
