/** A command that cannot be carried out; the message says what to do instead. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
