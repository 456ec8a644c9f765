import { Button, ButtonLink } from '#web/button.tsx'
import { EmptyState } from '#web/empty-state.tsx'

export function PrintButtons() {
  return (
    <div className="flex flex-wrap gap-3 print:hidden">
      <Button onClick={() => window.print()}>Print</Button>
      <ButtonLink variant="quiet" to="/dashboard/tosend">
        Back to To Send
      </ButtonLink>
    </div>
  )
}

export const NothingToPrint = () => (
  <EmptyState
    illustration="no-orders"
    title="Nothing of these orders is left to send"
    actions={<ButtonLink to="/dashboard/tosend">Back to To Send</ButtonLink>}
  >
    They were sent or cancelled meanwhile. Choose others.
  </EmptyState>
)

/** The address of a paper about these orders: see the loader of To Send. */
export const paperUrl = (paper: 'pick-list' | 'packing-slips', orderIds: string[], more: Record<string, string> = {}): string =>
  `/dashboard/tosend?${new URLSearchParams([['paper', paper], ...orderIds.map((id) => ['order', id]), ...Object.entries(more)])}`
