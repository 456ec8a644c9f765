import { formatDay } from '#shared/format-day.ts'
import type { OrderWithdrawal, Withdrawal } from '#store/orders/withdrawals/contract.ts'
import { BreakableText } from '#web/breakable-text.tsx'
import { DateTime } from '#web/date-time.tsx'
import { GroupedDigits, MoneyAmount } from '#web/money.tsx'

/** Until when the buyer can withdraw, in a sentence. */
export const periodText = ({ until }: NonNullable<OrderWithdrawal['withdrawal']>): string =>
  until === null
    ? 'You can withdraw from the contract, without a reason, until 14 days after all of it was delivered.'
    : `You can withdraw from the contract, without a reason, until ${formatDay(until)}.`

/** What was received, when, and what becomes of it. */
export const WithdrawalReceipts = ({ withdrawn }: { withdrawn: Withdrawal[] }) =>
  withdrawn.length > 0 && (
    <ul aria-label="Withdrawals" className="flex w-full flex-col divide-y divide-line">
      {withdrawn.map((withdrawal) => (
        <li key={withdrawal._id} className="flex flex-col gap-2 py-3 first:pt-0 last:pb-0">
          <WithdrawalReceipt withdrawal={withdrawal} />
        </li>
      ))}
    </ul>
  )

function WithdrawalReceipt({ withdrawal }: { withdrawal: Withdrawal }) {
  const { at, name, email, lines, refundCents, returnNumber, returnAddress, takenOver, moneyDueOn, isReturned } = withdrawal
  return (
    <>
      <p className="font-semibold">
        Received <DateTime at={at} />
      </p>
      <ul>
        {lines.map(({ _id, productName, quantity, sent }) => (
          <li key={_id} className="wrap-anywhere">
            <GroupedDigits number={quantity} /> x {productName}
            {sent > 0 && sent < quantity && ` (${sent} of them sent before)`}
          </li>
        ))}
      </ul>
      <p className="text-sm wrap-anywhere">
        By {name}. A mail with the receipt goes to <BreakableText>{email}</BreakableText>.
      </p>
      {refundCents > 0 && (
        <p className="text-sm">
          <MoneyAmount amountCents={refundCents} /> goes back at once. Banks take up to ten days to show it.
        </p>
      )}
      {isReturned && <p className="text-sm">What you have sent back is here, and decided.</p>}
      {returnNumber !== null && !isReturned && (
        <p className="text-sm">
          Send back {takenOver.length > 0 ? 'the rest of what you have got' : 'what you have got'} within 14 days, with the number{' '}
          <strong>R{returnNumber}</strong> on the parcel
          {returnAddress ? `, to ${returnAddress.replaceAll('\n', ', ')}` : ': a mail says where to'}.
        </p>
      )}
      {takenOver.map(({ returnNumber, _id, productName, quantity }) => (
        <p key={`${returnNumber} ${_id}`} className="text-sm wrap-anywhere">
          <GroupedDigits number={quantity} /> x {productName} of return R{returnNumber} is part of this withdrawal now: it cannot be refused
          any more. If it is not on its way yet, send it within 14 days.
        </p>
      ))}
      {moneyDueOn !== null && !isReturned && (
        <p className="text-sm">The money of it goes back by {formatDay(moneyDueOn)}; we may wait until the goods have come.</p>
      )}
    </>
  )
}
