import { useState } from 'react'
import { formatDay } from '#shared/format-day.ts'
import { formatItems } from '#store/orders/order-contract.ts'
import type { Return } from '#store/orders/returns/contract.ts'
import { formatReturnNumber } from '#store/orders/returns/return-reasons.ts'
import { Breadcrumbs } from '#web/breadcrumbs.tsx'
import { DateTime } from '#web/date-time.tsx'
import { DescriptionItem, DescriptionList } from '#web/description-list.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import { StatusBadge } from '#web/status-badge.tsx'
import { TextLink } from '#web/text-link.tsx'
import { DecisionForm } from './decision-form.tsx'
import { ReceiveForm } from './receive-form.tsx'
import { ResendForm } from './resend-form.tsx'
import { returnState, undecided } from './return-labels.ts'
import { ReturnedLines } from './returned-lines.tsx'

/** One return for an admin: what was asked, and what is to be done with it next. */
export function ReturnDetail({ asked: loaded }: { asked: Return }) {
  const [asked, setAsked] = useState(loaded)
  const number = formatReturnNumber(asked.number)
  const isOpen = asked.status === 'open'
  return (
    <Page
      title={`Return ${number}`}
      breadcrumbs={<Breadcrumbs steps={[{ label: 'Returns', to: '/dashboard/returns' }, { label: number }]} />}
      wide
    >
      {asked.moneyDueOn !== null && (
        <Notice kind="warning" title="The buyer has withdrawn from the contract">
          The shop cannot refuse {withdrawnText(asked)}. The money has to go back by {formatDay(asked.moneyDueOn)}.
        </Notice>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex flex-col gap-6">
          {isOpen && <ReceiveForm key={`arrived ${keyOf(asked)}`} asked={asked} onChanged={setAsked} />}
          {isOpen && <DecisionForm key={`decide ${keyOf(asked)}`} asked={asked} onChanged={setAsked} />}
          <ResendForm key={`send ${keyOf(asked)}`} asked={asked} onChanged={setAsked} />
          {!isOpen && asked.lines.every(({ toResend }) => toResend === 0) && (
            <Notice kind="info" title={asked.status === 'closed' ? 'Nothing is left to do' : 'The buyer has taken this return back'} />
          )}
        </div>
        <WhatWasAsked asked={asked} />
      </div>
    </Page>
  )
}

/** What of a return was withdrawn from: all of it, or these pieces of it. */
function withdrawnText({ lines }: Return): string {
  const withdrawn = lines.filter(({ toRefund }) => toRefund > 0)
  if (lines.every((line) => line.toRefund === undecided(line))) return 'it'
  return formatItems(withdrawn.map((line) => ({ ...line, quantity: line.toRefund })))
}

/** Forms begin anew once more has arrived, or is decided or sent. */
const keyOf = ({ lines }: Return) =>
  lines.map(({ arrived, toDecide, resent, decisions }) => `${arrived} ${toDecide} ${resent} ${decisions.length}`).join()

function WhatWasAsked({ asked }: { asked: Return }) {
  const { orderId, orderNumber, buyerName, askedAt, note } = asked
  const { kind, text } = returnState(asked)
  return (
    <Panel as="section" aria-labelledby="asked" className="flex flex-col gap-3">
      <h2 id="asked" className="flex flex-wrap items-baseline justify-between gap-3 text-xl">
        What comes back <StatusBadge kind={kind}>{text}</StatusBadge>
      </h2>
      <ReturnedLines asked={asked} showsStock />
      {note && <p className="wrap-anywhere whitespace-pre-line">{note}</p>}
      <DescriptionList>
        <DescriptionItem name="From">{buyerName}</DescriptionItem>
        <DescriptionItem name="Order">
          <TextLink to={`/dashboard/order/${orderId}`}>Order {orderNumber}</TextLink>
        </DescriptionItem>
        <DescriptionItem name="Asked for">
          <DateTime at={askedAt} />
        </DescriptionItem>
      </DescriptionList>
    </Panel>
  )
}
