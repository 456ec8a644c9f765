import type { Return } from '#store/orders/returns/contract.ts'
import { GroupedDigits } from '#web/money.tsx'
import { decisionText, reasonLabels, stockText } from './return-labels.ts'

/**
 * The lines of a return: what was asked, what has arrived, and what became of it.
 * @param showsStock also where the pieces went, for admins
 */
export function ReturnedLines({ asked: { number, lines }, showsStock = false }: { asked: Return; showsStock?: boolean }) {
  return (
    <ul aria-label={`Products of return R${number}`} className="flex flex-col gap-2">
      {lines.map((line) => (
        <li key={line._id} className="break-words">
          <p>
            <GroupedDigits number={line.quantity} /> x {line.productName}
            {line.reason && <span className="text-soft">: {reasonLabels[line.reason]}</span>}
          </p>
          {line.arrived > 0 && (
            <p className="text-sm text-soft">
              <GroupedDigits number={line.arrived} /> arrived
              {line.toDecide > 0 && (
                <>
                  , <GroupedDigits number={line.toDecide} /> being looked at
                </>
              )}
              {line.resent > 0 && (
                <>
                  , <GroupedDigits number={line.resent} /> sent again
                </>
              )}
            </p>
          )}
          {line.decisions.map((decision, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: decisions only grow at their end
            <p key={index} className="text-sm">
              <GroupedDigits number={decision.quantity} />: {decisionText(decision)}
              {showsStock && stockText(decision)}
            </p>
          ))}
        </li>
      ))}
    </ul>
  )
}
