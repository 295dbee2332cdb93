/** What one check of the command "doctor" found. */
export interface Finding {
  readonly result: 'ok' | 'warning' | 'failed';
  readonly check: string;
  /** What is, and what to do. */
  readonly text: string;
}

const finding =
  (result: Finding['result']) =>
  (check: string, text: string): Finding => ({ result, check, text });

export const ok = finding('ok');
export const warning = finding('warning');
export const failed = finding('failed');
