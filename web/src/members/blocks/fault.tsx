import { useBlockId, useBlocks } from './context.ts';
import styles from './elements.module.css';

/** What is wrong with the block around it, in a form. */
export function useFault(): string | undefined {
  const { faults } = useBlocks();
  return faults?.[useBlockId()];
}

export function Fault({ id }: { id?: string }) {
  const fault = useFault();
  if (fault === undefined) return null;
  return (
    <p id={id} className={styles.fault} dir="auto">
      {fault}
    </p>
  );
}
