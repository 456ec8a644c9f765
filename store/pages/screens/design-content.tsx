import { Avatar } from '#web/avatar.tsx'
import { Breadcrumbs } from '#web/breadcrumbs.tsx'
import { Button, ButtonLink } from '#web/button.tsx'
import { CopyButton } from '#web/copy-button.tsx'
import { DateTime } from '#web/date-time.tsx'
import { DescriptionItem, DescriptionList } from '#web/description-list.tsx'
import { EmptyState } from '#web/empty-state.tsx'
import { Loading } from '#web/loading.tsx'
import { GroupedDigits, MoneyAmount } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Panel } from '#web/panel.tsx'
import { PriceBreakdownLine, PriceBreakdownList } from '#web/price-breakdown.tsx'
import { Skeleton } from '#web/skeleton.tsx'
import { StatusBadge } from '#web/status-badge.tsx'
import { Tag } from '#web/tag.tsx'
import { TextLink } from '#web/text-link.tsx'
import { Timeline, TimelineItem } from '#web/timeline.tsx'

/* Samples of the component gallery (design.tsx): text, figures, notices and the states of a page. */

export function TextSamples() {
  return (
    <Panel className="self-start">
      <DescriptionList>
        <DescriptionItem name="Status">
          <span className="flex flex-wrap gap-2">
            <StatusBadge kind="good">Paid</StatusBadge>
            <StatusBadge kind="bad">Not paid yet</StatusBadge>
            <StatusBadge kind="neutral">Expired</StatusBadge>
          </span>
        </DescriptionItem>
        <DescriptionItem name="Tags">
          <Tag>DDR5</Tag> <Tag>32 GB</Tag>
        </DescriptionItem>
        <DescriptionItem name="Money">
          <MoneyAmount amountCents={125_000} />, <MoneyAmount amountCents={125_050} />, <GroupedDigits number={46803} />
        </DescriptionItem>
        <DescriptionItem name="Moment">
          <DateTime at="2026-11-21T14:05:00Z" />
        </DescriptionItem>
        <DescriptionItem name="Link">
          <TextLink to="#words-and-figures">Delivery and returns</TextLink>
        </DescriptionItem>
        <DescriptionItem name="Portrait">
          <Avatar src="" size={48} />
        </DescriptionItem>
        <DescriptionItem name="Trail">
          <Breadcrumbs steps={[{ label: 'All tools', to: '#' }, { label: 'Memory', to: '#memory' }, { label: 'This page' }]} />
        </DescriptionItem>
      </DescriptionList>
    </Panel>
  )
}

export function NoticeSamples() {
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <Notice kind="success" title="Payment successfully done...">
        Print or save this receipt.
      </Notice>
      <Notice kind="info" title="You were signed out">
        Sign in to see your orders.
      </Notice>
      <Notice
        kind="warning"
        title="The price has changed to $420"
        action={
          <Button variant="quiet" dense>
            Accept $420
          </Button>
        }
      >
        Nothing has been ordered yet.
      </Notice>
      <Notice kind="error" title="The card was declined">
        Try another card; what you typed is kept.
      </Notice>
    </div>
  )
}

export function PanelSamples() {
  return (
    <div className="grid gap-4 md:grid-cols-3">
      <Panel>listed: one of several</Panel>
      <Panel variant="raised">raised: the one thing to do</Panel>
      <Panel variant="sunk">sunk: further facts</Panel>
    </div>
  )
}

export function PriceBreakdownAndTimelineSamples() {
  return (
    <div className="grid gap-6 md:grid-cols-2">
      <Panel>
        <PriceBreakdownList>
          <PriceBreakdownLine label="25 x $16">
            <MoneyAmount amountCents={40_000} />
          </PriceBreakdownLine>
          <PriceBreakdownLine label="Total paid" isTotal>
            <MoneyAmount amountCents={40_000} />
          </PriceBreakdownLine>
        </PriceBreakdownList>
        <p>
          <span className="figures">pi_3PcMOZmVxsQgv</span> <CopyButton label="transaction id" text="pi_3PcMOZmVxsQgv" />
        </p>
      </Panel>
      <Timeline label="What happened to an order">
        <TimelineItem title="Ordered" at="2026-11-21T14:05:00Z">
          25 pieces
        </TimelineItem>
        <TimelineItem title="A card was declined" at="2026-11-21T14:06:00Z" kind="wrong">
          Nothing was charged.
        </TimelineItem>
        <TimelineItem title="Your payment" kind="next">
          Until 22 Nov 2026
        </TimelineItem>
      </Timeline>
    </div>
  )
}

export function LoadingStateSamples() {
  return (
    <div className="grid gap-6 md:grid-cols-2">
      <Loading>Preparing the card form</Loading>
      <Skeleton rows={5} />
    </div>
  )
}

export function EmptyStateSamples() {
  return (
    <EmptyState illustration="no-orders" title="No orders yet" actions={<ButtonLink to="/allproducts">All Tools Have on Stock</ButtonLink>}>
      What you order stands here, to be paid and followed.
    </EmptyState>
  )
}
