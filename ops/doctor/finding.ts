/** The result of one check of the command "doctor". */
export interface Finding {
  readonly result: 'ok' | 'warning' | 'failed';
  readonly check: string;
  /** The state, and the step to take. */
  readonly text: string;
}

const finding =
  (result: Finding['result']) =>
  (check: string, text: string): Finding => ({ result, check, text });

export const ok = finding('ok');
export const warning = finding('warning');
export const failed = finding('failed');
