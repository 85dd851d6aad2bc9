"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl/react";
import { trpc } from "@/app/_trpc/client";
import type { Entry, EntrySection } from "./entry";
import { noteRecent, type RecentItem, readRecent } from "./recent";

const TYPING_PAUSE_MS = 200;
const SHOWN = 6;
/** A whole value of a key. Only its id is sent, because requests are logged in places that may hold no secret. */
const KEY_VALUE = /^\S{3}[0-9A-Za-z]{45}$/;
const KEY_ID_LENGTH = 10;

export interface Found {
  sections: EntrySection[];
  isSearching: boolean;
  error: unknown;
}

/**
 * Keys and groups that contain the text, those with this very name first. The server searches after a pause; an answer that is
 * out of date is not used.
 */
export function useFound(typed: string, email: string): Found {
  const t = useTranslations("palette.sections");
  const open = useOpener(email);
  const text = KEY_VALUE.test(typed) ? typed.slice(0, KEY_ID_LENGTH) : typed;
  const sent = useAfterPause(text);
  const options = { enabled: sent !== "", placeholderData: keepPreviousData, trpc: { abortOnUnmount: true } };
  const named = trpc.keys.named.useQuery({ name: sent, page_size: SHOWN }, options);
  const keys = trpc.keys.list.useQuery({ search: sent, page_size: SHOWN }, options);
  const groups = trpc.groups.names.useQuery({ search: sent, page_size: SHOWN }, options);
  if (text === "") return { sections: [], isSearching: false, error: undefined };
  const isSearching = sent !== text || [named, keys, groups].some(({ isFetching }) => isFetching);
  const found = [...(named.data?.data ?? []), ...(keys.data?.data ?? [])];
  const foundOnce = [...new Map(found.map((key) => [key.apikey_id, key])).values()].slice(0, SHOWN);
  // While the next answer is on its way, what still fits stays.
  const fitting = (entries: Entry[]) =>
    isSearching ? entries.filter(({ label, words = "" }) => contains(label, text) || contains(words, text)) : entries;
  return {
    sections: [
      {
        title: t("keys"),
        entries: fitting(
          foundOnce.map(({ apikey_id, name, group_name }) => ({
            ...open({ kind: "key", id: apikey_id, name }),
            words: apikey_id,
            detail: group_name === null ? apikey_id : `${apikey_id} · ${group_name}`,
          })),
        ),
      },
      {
        title: t("groups"),
        entries: fitting((groups.data?.data ?? []).map(({ id, name }) => open({ kind: "group", id, name }))),
      },
    ],
    isSearching,
    error: named.error ?? keys.error ?? groups.error ?? undefined,
  };
}

/** What was opened last. @param pages the present names of the pages, by path. */
export function useRecent(email: string, pages: ReadonlyMap<string, string>): EntrySection {
  const t = useTranslations("palette.sections");
  const open = useOpener(email);
  const [items] = useState(() => readRecent(email));
  const entries = items.flatMap((item) => {
    const name = item.kind === "page" ? pages.get(item.id) : item.name;
    return name === undefined ? [] : [{ ...open({ ...item, name }), id: `recent-${item.kind}-${item.id}` }];
  });
  return { title: t("recent"), entries };
}

const PLACES = {
  key: { icon: "key", path: "/keys/" },
  group: { icon: "group", path: "/groups/" },
  page: { icon: "clock", path: "" },
} as const;

function useOpener(email: string): (item: RecentItem) => Entry {
  const router = useRouter();
  return (item) => {
    const { icon, path } = PLACES[item.kind];
    return {
      id: `${item.kind}-${item.id}`,
      label: item.name,
      icon,
      ...(item.kind === "key" && { detail: item.id }),
      run: () => {
        noteRecent(email, item);
        router.push(item.kind === "page" ? item.id : path + encodeURIComponent(item.id));
      },
    };
  };
}

function contains(name: string, part: string): boolean {
  return name.toLowerCase().includes(part.toLowerCase());
}

function useAfterPause(text: string): string {
  const [late, setLate] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLate(text), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return late;
}
