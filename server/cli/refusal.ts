/** A command does not do what it was asked for. The message is a whole sentence for an operator. */
export class Refusal extends Error {}
