// world/collide/manifold_pass.c: does the narrow phase of all awake contacts, once per step.
//
// Workers make the manifolds of parts of the list (manifold_update.c). Then one thread walks the
// parts with news in order: ghosts, blows, events, waking, and the end of contacts whose boxes
// parted. Test: tests/world/collide/test_manifold_update.c
#include "solver/contacts/contact_follow.h"
#include "world/bodies.h"
#include "world/collide/contact_ghosts.h"
#include "world/collide/contact_hand_on.h"
#include "world/collide/contact_path.h"
#include "world/collide/narrow.h"
#include "world/contacts.h"

// The number of contacts in one part of the list, and of bodies, that is worth another worker.
#define PASS_PART       64u
#define PASS_MIN_BODIES 128u
// Suspects are tried in at most this many rounds.
#define PASS_GHOST_ROUNDS 3u
// Memory is fetched for this many contacts ahead of the one that ends.
#define PASS_AHEAD 8u

// Notes on a part of the list, with a bit for each contact.
typedef struct pass_notes {
    uint64_t news;      // began or ended, or may wake a body
    uint64_t apart;     // ends at the end of the pass
    uint64_t walked;    // made along the path of its pair
    uint64_t suspects;  // may be a ghost
    uint64_t tried;     // of the suspects, those that are none unless contacts beside them change
    uint64_t followers; // to be made anew in each substep
    uint64_t losers;    // points that bore a load have gone
} pass_notes;

typedef struct manifold_pass {
    tn_world *world;
    double dt;
    uint32_t first, last; // in awake_contacts
    uint32_t moving;      // in awake_bodies: earlier ones are known
    pass_notes *notes;    // by part of awake_contacts
} manifold_pass;

// Fetches the contact at `at` in the list, if it needs work.
TNI_KERNEL void pass_fetch(const tn_world *world, uint32_t at, uint32_t last) {
    if (at + TNI_NARROW_AHEAD < last) {
        const tni_awake_contact *entry = &world->awake_contacts.items[at + TNI_NARROW_AHEAD];
        if (entry->has_points) {
            tni_narrow_fetch(tni_contact_at(world, entry->contact), sizeof(tni_contact));
        } else {
            TNI_PREFETCH(tni_contact_at(world, entry->contact));
        }
    }
}

static uint32_t pass_get_end(const manifold_pass *pass, uint32_t part) {
    uint32_t end = (part + 1) * PASS_PART;
    return end < pass->last ? end : pass->last;
}

static uint32_t pass_get_start(const manifold_pass *pass, uint32_t part) {
    uint32_t start = part * PASS_PART;
    return start > pass->first ? start : pass->first;
}

// Updates parts, counted from that of pass->first.
static void pass_parts(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const manifold_pass *pass = context;
    tn_world *world = pass->world;
    uint32_t base = pass->first / PASS_PART;
    uint32_t fetched_end = pass_get_end(pass, base + last - 1); // beyond, others write
    for (uint32_t part = base + first; part < base + last; ++part) {
        uint32_t end = pass_get_end(pass, part);
        pass_notes notes = {0};
        for (uint32_t i = pass_get_start(pass, part); i < end; ++i) {
            tni_awake_contact *entry = &world->awake_contacts.items[i];
            pass_fetch(world, i, fetched_end);
            uint32_t left = tni_contact_update(world, entry, pass->dt);
            if (left != 0) { // seldom
                notes.walked |= (uint64_t)((left & TNI_UPDATE_WALKED) != 0) << i % PASS_PART;
                notes.suspects |= (uint64_t)((left & TNI_UPDATE_SUSPECT) != 0) << i % PASS_PART;
                notes.followers |= (uint64_t)((left & TNI_UPDATE_FOLLOWER) != 0) << i % PASS_PART;
                notes.losers |= (uint64_t)((left & TNI_UPDATE_LOSER) != 0) << i % PASS_PART;
            }
            notes.news |= (uint64_t)entry->has_news << i % PASS_PART;
            notes.apart |= (uint64_t)entry->is_apart << i % PASS_PART;
        }
        pass->notes[part].news = notes.news; // old ones too, if a round began within the part
        pass->notes[part].walked = notes.walked;
        pass->notes[part].suspects = notes.suspects;
        pass->notes[part].followers = notes.followers;
        pass->notes[part].losers = notes.losers;
        pass->notes[part].apart |= notes.apart;
    }
}

// Finds the motions of bodies that woke in this step; the others' were found with their bounds.
static void pass_motions(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const manifold_pass *pass = context;
    tn_world *world = pass->world;
    for (uint32_t i = pass->moving + first; i < pass->moving + last; ++i) {
        tni_body_update_motions(world, world->awake_bodies.items[i], pass->dt);
    }
}

// ---- on one thread, in order ------------------------------------------------------------------

// Wakes a sleeping body when something comes to touch it. A kinematic body that stays in touch lets
// it sleep.
static void pass_wake(tn_world *world, const tni_contact *contact) {
    const tni_body *a = tni_body_at(world, contact->body_a),
                   *b = tni_body_at(world, contact->body_b);
    bool is_a_awake = a->awake_index != TNI_NONE, is_b_awake = b->awake_index != TNI_NONE;
    if (is_a_awake == is_b_awake) {
        return; // another contact woke it
    }
    const tni_body *waker = is_a_awake ? a : b;
    if (waker->type == TN_BODY_TYPE_DYNAMIC || !contact->was_touching) {
        tni_body_wake(world, is_a_awake ? contact->body_b : contact->body_a);
    }
}

static void pass_tell(tn_world *world, const tni_contact *contact) {
    if (contact->is_touching && !contact->was_touching) {
        if (!contact->has_part) { // else it has been reported
            tni_events_add_begin(world, contact);
        }
    } else if (!contact->is_touching && contact->was_touching) {
        tni_events_add_end(world, contact);
    }
    if (contact->may_wake) {
        pass_wake(world, contact);
    }
}

// A function that may change a contact which stands in a body's list with others.
typedef bool (*pass_fn)(tn_world *world, uint32_t contact, double dt);

// Writes the flags of a contact that has just been changed.
static void pass_note_change(const manifold_pass *pass, uint32_t part, uint32_t bit) {
    tni_awake_contact *entry = &pass->world->awake_contacts.items[part * PASS_PART + bit];
    tni_contact *contact = tni_contact_at(pass->world, entry->contact);
    tni_contact_note_changed(entry, contact);
    uint64_t mask = (uint64_t)1 << bit, *news = &pass->notes[part].news;
    *news = entry->has_news ? *news | mask : *news & ~mask;
    pass->notes[part].followers |= contact->follows != TNI_FOLLOWS_NOTHING ? mask : 0;
}

// Whatever stands in a dynamic body's list with a contact that changed may be a ghost after all.
static void pass_renew_trials(const manifold_pass *pass, uint32_t body) {
    const tn_world *world = pass->world;
    if (tni_body_at(world, body)->type != TN_BODY_TYPE_DYNAMIC) {
        return;
    }
    for (uint32_t key = tni_body_at(world, body)->contact_head; key != TNI_NONE;
         key = tni_contact_edge_next(world, key)) {
        uint32_t index = tni_contact_at(world, key >> 1)->awake_index;
        if (index != TNI_NONE) {
            pass->notes[index / PASS_PART].tried &= ~((uint64_t)1 << index % PASS_PART);
        }
    }
}

// Changes a contact, on one thread, as it depends on its bodies' others. Returns whether it did.
static bool pass_change(const manifold_pass *pass, uint32_t part, uint32_t bit, pass_fn change) {
    uint32_t index = pass->world->awake_contacts.items[part * PASS_PART + bit].contact;
    if (!change(pass->world, index, pass->dt)) {
        return false;
    }
    pass_note_change(pass, part, bit);
    const tni_contact *contact = tni_contact_at(pass->world, index);
    pass_renew_trials(pass, contact->body_a);
    pass_renew_trials(pass, contact->body_b);
    return true;
}

// Tries the suspects of a part that are worth a trial. Returns whether one was a ghost.
static bool pass_lay_ghosts_of(const manifold_pass *pass, uint32_t part) {
    pass_notes *notes = &pass->notes[part];
    bool has_changed = false;
    for (uint32_t bit = 0; bit < PASS_PART; ++bit) {
        uint64_t mask = (uint64_t)1 << bit;
        if ((notes->suspects & ~notes->tried & mask) == 0) { // a ghost renews trials of others
            continue;
        }
        notes->tried |= mask;
        if (pass_change(pass, part, bit, tni_contact_lay_ghost)) {
            notes->suspects &= ~mask;
            has_changed = true;
        }
    }
    return has_changed;
}

// Lays ghosts in rounds: a round ghost that was turned may make ghosts of others.
static void pass_lay_ghosts(const manifold_pass *pass) {
    bool has_changed = true;
    for (uint32_t round = 0; round < PASS_GHOST_ROUNDS && has_changed; ++round) {
        has_changed = false;
        for (uint32_t part = pass->first / PASS_PART; part * PASS_PART < pass->last; ++part) {
            const pass_notes *notes = &pass->notes[part];
            if ((notes->suspects & ~notes->tried) != 0) {
                has_changed |= pass_lay_ghosts_of(pass, part);
            }
        }
    }
}

static void pass_number_followers(const manifold_pass *pass, uint32_t part) {
    tn_world *world = pass->world;
    uint64_t followers = pass->notes[part].followers;
    for (uint32_t bit = 0; followers != 0; ++bit, followers >>= 1) {
        uint32_t contact = world->awake_contacts.items[part * PASS_PART + bit].contact;
        if ((followers & 1) != 0 &&
            tni_contact_at(world, contact)->follows != TNI_FOLLOWS_NOTHING) {
            tni_contact_memory_at(world, contact)->follower = world->follower_count++;
        }
    }
}

static void pass_hand_on(const manifold_pass *pass) {
    for (uint32_t part = pass->first / PASS_PART; part * PASS_PART < pass->last; ++part) {
        uint64_t losers = pass->notes[part].losers;
        for (uint32_t bit = 0; losers != 0; ++bit, losers >>= 1) {
            if ((losers & 1) != 0) {
                tni_contact_hand_on(
                    pass->world, pass->world->awake_contacts.items[part * PASS_PART + bit].contact);
            }
        }
    }
}

// Puts the blows of a part in their order. Returns whether this changed one.
static bool pass_order_blows_of(const manifold_pass *pass, uint32_t part) {
    pass_notes *notes = &pass->notes[part];
    uint64_t walked = notes->walked, changed = 0;
    for (uint32_t bit = 0; walked != 0; ++bit, walked >>= 1) {
        if ((walked & 1) != 0 && pass_change(pass, part, bit, tni_contact_order_blow)) {
            changed |= (uint64_t)1 << bit;
        }
    }
    notes->suspects |= changed;
    return changed != 0;
}

// Puts blows in their order. Ghosts give none. What changes may be a ghost after all.
static void pass_order_blows(const manifold_pass *pass) {
    bool has_changed = false;
    for (uint32_t part = pass->first / PASS_PART; part * PASS_PART < pass->last; ++part) {
        has_changed |= pass_order_blows_of(pass, part);
    }
    if (has_changed) {
        pass_lay_ghosts(pass);
    }
}

static void pass_change_all(const manifold_pass *pass) {
    pass->notes[pass->first / PASS_PART].tried = 0; // bodies that woke have other contacts
    pass_lay_ghosts(pass);
    pass_order_blows(pass);
    pass_hand_on(pass);
    for (uint32_t part = pass->first / PASS_PART; part * PASS_PART < pass->last; ++part) {
        pass_number_followers(pass, part);
    }
}

// Reports the begins of parts, before others end: a ball that rolls from one triangle of a mesh to
// the next touches the mesh all the time.
static void pass_tell_parts(const manifold_pass *pass) {
    tn_world *world = pass->world;
    for (uint32_t part = pass->first / PASS_PART; part * PASS_PART < pass->last; ++part) {
        uint64_t news = pass->notes[part].news;
        for (uint32_t i = part * PASS_PART; news != 0; ++i, news >>= 1) {
            const tni_contact *contact = NULL;
            if ((news & 1) != 0) {
                contact = tni_contact_at(world, world->awake_contacts.items[i].contact);
            }
            if (contact && contact->has_part && contact->is_touching && !contact->was_touching) {
                tni_events_add_begin(world, contact);
            }
        }
    }
}

static void pass_finish(const manifold_pass *pass) {
    tn_world *world = pass->world;
    if (world->features.parts != NULL) {
        pass_tell_parts(pass);
    }
    for (uint32_t part = pass->first / PASS_PART; part * PASS_PART < pass->last; ++part) {
        uint64_t news = pass->notes[part].news;
        for (uint32_t i = part * PASS_PART; news != 0; ++i, news >>= 1) {
            if ((news & 1) != 0) {
                const tni_awake_contact entry = world->awake_contacts.items[i];
                pass_tell(world, tni_contact_at(world, entry.contact));
            }
        }
    }
}

// ---- the end of contacts ----------------------------------------------------------------------

// A backward walk: the last of the list moves into the gap, and earlier contacts keep their places.
typedef struct pass_walk {
    const manifold_pass *pass;
    uint32_t part;  // under way
    uint64_t apart; // its contacts that remain
} pass_walk;

static uint32_t pass_find_highest(uint64_t bits) {
    uint32_t at = 0;
    for (uint32_t step = 32; step > 0; step >>= 1) {
        bool is_above = bits >> step != 0;
        bits = is_above ? bits >> step : bits;
        at += is_above ? step : 0;
    }
    return at;
}

// Returns the next contact that ends, or TNI_NONE.
static uint32_t pass_find_apart(pass_walk *walk) {
    while (walk->apart == 0) {
        if (walk->part == 0) {
            return TNI_NONE;
        }
        walk->part -= 1;
        walk->apart = walk->pass->notes[walk->part].apart;
    }
    uint32_t bit = pass_find_highest(walk->apart);
    walk->apart ^= (uint64_t)1 << bit;
    return walk->pass->world->awake_contacts.items[walk->part * PASS_PART + bit].contact;
}

// Fetch what the end of a contact reads first, and then its neighbors in the lists of both bodies.
TNI_KERNEL void pass_fetch_apart(const tn_world *world, uint32_t index) {
    TNI_PREFETCH(tni_contact_at(world, index));
    TNI_PREFETCH(tni_contact_edge_at(world, 2 * index));
    TNI_PREFETCH(&world->contact_pool.slots[index]);
}

TNI_KERNEL void pass_fetch_neighbors(const tn_world *world, uint32_t index) {
    const tni_contact *contact = tni_contact_at(world, index);
    TNI_PREFETCH(&tni_body_at(world, contact->body_a)->contact_head);
    TNI_PREFETCH(&tni_body_at(world, contact->body_b)->contact_head);
    TNI_PREFETCH(tni_map_get_home(&world->pairs, tni_pair_key(contact->shape_a, contact->shape_b)));
    for (uint32_t key = 2 * index; key < 2 * index + 2; ++key) {
        const tni_contact_edge *edge = tni_contact_edge_at(world, key);
        if (edge->previous != TNI_NONE) {
            TNI_PREFETCH(tni_contact_edge_at(world, edge->previous));
        }
        if (edge->next != TNI_NONE) {
            TNI_PREFETCH(tni_contact_edge_at(world, edge->next));
        }
    }
}

// Destroys contacts. They wait in a ring, so that their memory has arrived when it is their turn.
static void pass_destroy_apart(const manifold_pass *pass) {
    tn_world *world = pass->world;
    uint32_t count = world->awake_contacts.count;
    pass_walk walk = {pass, (count + PASS_PART - 1) / PASS_PART, 0};
    uint32_t ring[PASS_AHEAD];
    for (uint32_t i = 0; i < PASS_AHEAD; ++i) {
        ring[i] = TNI_NONE;
    }
    uint32_t ends = 0; // turns since the walk came to its end
    for (uint32_t turn = 0; ends < PASS_AHEAD; ++turn) {
        uint32_t *place = &ring[turn % PASS_AHEAD];
        uint32_t due = *place, half = ring[(turn + PASS_AHEAD / 2) % PASS_AHEAD];
        *place = pass_find_apart(&walk);
        if (*place != TNI_NONE) {
            pass_fetch_apart(world, *place);
        } else {
            ends += 1;
        }
        if (half != TNI_NONE) {
            pass_fetch_neighbors(world, half);
        }
        if (due != TNI_NONE) {
            tni_contact_destroy(world, due);
        }
    }
}

bool tni_world_update_manifolds(tn_world *world, double dt, uint32_t known) {
    // Waking appends bodies and contacts to the lists, which have room; another round computes
    // them.
    const tni_awake_contact_list *list = &world->awake_contacts;
    manifold_pass pass = {.world = world, .dt = dt, .moving = known};
    size_t parts_most = list->capacity / PASS_PART + 1;
    pass.notes = tni_arena_alloc_zeroed(&world->arena, parts_most * sizeof *pass.notes);
    if (pass.notes == NULL) {
        return false;
    }
    world->follower_count = 0;
    while (pass.first < list->count) {
        pass.last = list->count;
        uint32_t bodies = world->awake_bodies.count - pass.moving;
        tni_tasks_run(&world->tasks, pass_motions, bodies, tni_world_cut(world, PASS_MIN_BODIES),
                      &pass);
        pass.moving += bodies;
        uint32_t parts = (pass.last - 1) / PASS_PART - pass.first / PASS_PART + 1;
        tni_tasks_run(&world->tasks, pass_parts, parts, tni_world_cut(world, 1), &pass);
        pass_change_all(&pass);
        pass_finish(&pass);
        pass.first = pass.last;
    }
    pass_destroy_apart(&pass);
    tni_world_call_pre_solve(world);
    return true;
}
