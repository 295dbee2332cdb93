import { InvalidFields } from '../api/index.ts';

/** @returns the form in which addresses are compared: two that differ only in case are one person's */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

/** Only mail can prove an address; this refuses what no mail could reach. @throws InvalidFields */
export function checkEmail(email: string, field = 'email'): void {
  if (/^[^\s@,;<>]+@[^\s@,;<>]+$/.test(email.trim())) return;
  throw new InvalidFields({ field, message: 'must be an email address' });
}
