import type { SendingBlock } from '#store/orders/shipments/contract.ts'

export const blockLabels: Record<SendingBlock, string> = {
  'held back': 'Held back',
  disputed: 'Payment disputed',
  'to be looked at': 'To be looked at',
}

/** Why an order is not sent now, and what to do about it. */
export const blockTexts: Record<SendingBlock, string> = {
  'held back': 'It is sent once you release it.',
  disputed: "The buyer's bank disputes the payment: send nothing until the dispute is won.",
  'to be looked at': 'Something went wrong with it: look at it, and say that you have.',
}
