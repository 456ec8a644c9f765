import type { ReactNode } from 'react'
import { useRouteLoaderData } from 'react-router'
import { Notice } from '#web/notice.tsx'
import type { Shop } from '#web/shop.ts'
import { TextLink } from '#web/text-link.tsx'

/** A mail was sent. Where none leaves the machine, it says where the mail lies. */
export function MailOnItsWay({ title, children }: { title: string; children: ReactNode }) {
  const shop = useRouteLoaderData<Shop>('root')
  return (
    <Notice kind="success" title={title}>
      {children}
      {shop?.outbox && (
        <>
          {' '}
          In this test store it lies in the{' '}
          <TextLink to="/outbox" reloadDocument>
            outbox
          </TextLink>
          .
        </>
      )}
    </Notice>
  )
}
