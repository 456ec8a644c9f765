import { formatDay } from '#shared/format-day.ts'
import { buyerGreeting, type OrderEmailContent, type OrderEmailContext } from '#store/orders/email-context.ts'
import { formatItem, formatItems } from '#store/orders/order-contract.ts'
import type { ReturnDecision } from './contract.ts'
import { formatReturnNumber, type ReturnOutcome } from './return-reasons.ts'

/* The mails about returns. */

const aboutReturn = ({ returned, order }: OrderEmailContext) => {
  if (!returned) throw new Error(`Order ${order.number} has no return that this mail is about`)
  return { ...returned, number: formatReturnNumber(returned.whole.number) }
}

/** What to do now that a return has its number. */
export function returnAskedEmail(about: OrderEmailContext): OrderEmailContent {
  const { whole, number, address } = aboutReturn(about)
  const { order, orderPage } = about
  return {
    subject: `Return ${number} of order ${order.number}: write the number on the parcel`,
    paragraphs: [
      `${buyerGreeting(order)} the return of ${formatItems(whole.lines)} of your order ${order.number} has the number ${number}.`,
      `Pack it well, write ${number} on the parcel and send it ${address ? `to:\n${address}` : 'to the address that we tell you: answer this mail, or write to us.'}`,
      ...(whole.moneyDueOn ? [`Your money goes back by ${formatDay(whole.moneyDueOn)}; we may wait until the goods have come.`] : []),
      'We write when it has arrived. Each step stands on the page of your order.',
    ],
    action: { words: 'Show the order', url: orderPage },
  }
}

/** What of a return has arrived at this moment. */
export function returnArrivedEmail(about: OrderEmailContext): OrderEmailContent {
  const { number } = aboutReturn(about)
  const { order, line, orderPage } = about
  return {
    subject: `Return ${number} of order ${order.number} has arrived`,
    paragraphs: [
      `${buyerGreeting(order)} ${line.items} of your return ${number} has arrived. We look at it, and write to you what becomes of it.`,
    ],
    action: { words: 'Show the order', url: orderPage },
  }
}

type DecidedPieces = ReturnDecision & { productName: string }

/** What becomes of the pieces that were decided at this moment: refused ones with the reason. */
export function returnDecidedEmail(about: OrderEmailContext): OrderEmailContent {
  const { number, decided } = aboutReturn(about)
  const { order, orderPage } = about
  const isRefused = decided.every(({ outcome }) => outcome === 'refused')
  return {
    subject: `Return ${number} of order ${order.number} ${isRefused ? 'is refused' : 'is decided'}`,
    paragraphs: [
      `${buyerGreeting(order)} we have looked at your return ${number}.`,
      decided.map((pieces) => `${formatItem(pieces)}: ${decisionText(pieces)}`).join('\n'),
      ...(decided.some(({ refund }) => refund !== null) ? ['A mail with the amount follows as soon as the money is on its way.'] : []),
      'Something wrong with this? Answer this mail, or write to us.',
    ],
    action: { words: 'Show the order', url: orderPage },
  }
}

const outcomeTexts: Record<Exclude<ReturnOutcome, 'refused'>, string> = {
  refund: 'we give the money back',
  replacement: 'we send you another one in its place',
  repair: 'we repair it and send it back to you',
}

const decisionText = ({ outcome, refund, hasArrived, reason }: DecidedPieces): string => {
  if (outcome === 'refund' && refund === null) return 'taken back; its money had gone back before'
  if (outcome !== 'refused') return outcomeTexts[outcome]
  return `refused, ${hasArrived ? 'and sent back to you' : 'please do not send it'}. ${reason}`
}
