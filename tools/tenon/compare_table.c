// tools/tenon/compare_table.c: what the methods came to, as tables in Markdown.
#include "tools/tenon/compare.h"

#include <math.h>
#include <stdio.h>

#define TABLE_ROUNDOFF 1e-9 // an error below says nothing of a method's order

// What the costs are measured against: Gauss-Seidel's.
static double table_get_unit(const compare_sheet *sheet) {
    double unit = 0.0;
    for (uint32_t i = 0; i < sheet->result_count; i++) {
        const compare_result *result = &sheet->results[i];
        bool is_unit = result->method->solver == TN_SOLVER_PGS;
        unit = is_unit && result->status == COMPARE_STATUS_OK ? result->step_us : unit;
    }
    return unit;
}

static double table_get_cost(const compare_sheet *sheet, uint32_t index) {
    double unit = table_get_unit(sheet);
    return unit > 0.0 ? sheet->results[index].step_us / unit : 0.0;
}

// Why there are no figures; null where there are.
static const char *table_get_excuse(const compare_result *result) {
    switch (result->status) {
    case COMPARE_STATUS_REFUSED:
        return "refused: there is more than rigid joints";
    case COMPARE_STATUS_UNKNOWN:
        return "no closed form is known";
    case COMPARE_STATUS_OK:
    case COMPARE_STATUS_EXPLODED:
        break;
    }
    return NULL;
}

// ---- one rate ----------------------------------------------------------------------------------

static void table_print_result(const compare_sheet *sheet, uint32_t index) {
    const compare_result *result = &sheet->results[index];
    const compare_errors *most = &result->most;
    const char *excuse = table_get_excuse(result);
    printf("| %-40s | ", result->method->name);
    if (excuse != NULL) {
        printf("%s | | | | | |\n", excuse);
        return;
    }
    if (result->status == COMPARE_STATUS_EXPLODED) {
        printf("explodes at %.2f s | | | |", result->exploded_at);
    } else {
        printf("%.2g | %.2g | %.2g | %.2g |", most->drift,
               100.0 * result->energy_end + 0.0, // no -0
               100.0 * most->energy, most->path);
    }
    printf(" %.1f | %.1f", result->step_us, table_get_cost(sheet, index));
    if (result->refused > 0) {
        printf("; refused in %u steps", (unsigned)result->refused);
    }
    printf(" |\n");
}

static void table_print_sheet(const compare_sheet *sheet) {
    printf("| %-40s | gap m | energy %% | most %% | path m | us | cost |\n", "method");
    printf("|---|---|---|---|---|---|---|\n");
    for (uint32_t i = 0; i < sheet->result_count; i++) {
        table_print_result(sheet, i);
    }
    printf("\n");
}

// ---- several rates -----------------------------------------------------------------------------

typedef enum table_quantity {
    TABLE_QUANTITY_DRIFT = 0,
    TABLE_QUANTITY_ENERGY,
    TABLE_QUANTITY_PATH,
    TABLE_QUANTITY_COST,
    TABLE_QUANTITIES,
} table_quantity;

static double table_get_value(const compare_sheet *sheet, uint32_t index, table_quantity quantity) {
    const compare_errors *most = &sheet->results[index].most;
    switch (quantity) {
    case TABLE_QUANTITY_DRIFT:
        return most->drift;
    case TABLE_QUANTITY_ENERGY:
        return 100.0 * most->energy;
    case TABLE_QUANTITY_PATH:
        return most->path;
    case TABLE_QUANTITY_COST:
    case TABLE_QUANTITIES:
        break;
    }
    return table_get_cost(sheet, index);
}

// The power of the step that an error goes with, from the last two rates.
static void table_print_order(const compare_sheet *last, uint32_t index, table_quantity quantity) {
    const compare_sheet *before = last - 1;
    double coarse = table_get_value(before, index, quantity);
    double fine = table_get_value(last, index, quantity);
    bool has_order = before->results[index].status == COMPARE_STATUS_OK &&
                     last->results[index].status == COMPARE_STATUS_OK && coarse > TABLE_ROUNDOFF &&
                     fine > TABLE_ROUNDOFF;
    if (has_order) {
        printf(" %.1f |", log(coarse / fine) / log(last->reference.rate / before->reference.rate));
    } else {
        printf(" - |");
    }
}

static void table_print_quantity(const compare_sheet *sheets, uint32_t count,
                                 table_quantity quantity) {
    static const char *const heads[TABLE_QUANTITIES] = {
        "largest joint gap, m", "largest error of energy, %", "largest path error, m",
        "cost of a step, of Gauss-Seidel's"};
    bool has_order = quantity != TABLE_QUANTITY_COST;
    printf("| %-40s |", heads[quantity]);
    for (uint32_t k = 0; k < count; k++) {
        printf(" 1/%g s |", sheets[k].reference.rate);
    }
    printf("%s\n|---|", has_order ? " order |" : "");
    for (uint32_t k = 0; k < count + has_order; k++) {
        printf("---|");
    }
    for (uint32_t i = 0; i < sheets[0].result_count; i++) {
        printf("\n| %-40s |", sheets[0].results[i].method->name);
        for (uint32_t k = 0; k < count; k++) {
            const compare_result *result = &sheets[k].results[i];
            if (table_get_excuse(result) != NULL) {
                printf(" - |");
            } else if (result->status == COMPARE_STATUS_EXPLODED && has_order) {
                printf(" explodes at %.2f s |", result->exploded_at);
            } else {
                printf(" %.2g |", table_get_value(&sheets[k], i, quantity));
            }
        }
        if (has_order) {
            table_print_order(&sheets[count - 1], i, quantity);
        }
    }
    printf("\n\n");
}

void compare_print(const compare_setup *setup, const compare_sheet *sheets, uint32_t count) {
    const compare_reference *reference = &sheets[0].reference;
    uint32_t substeps = setup->options->substeps;
    printf("%s, %g s", setup->name, reference->steps / reference->rate);
    if (count == 1) {
        printf(" in steps of 1/%g s", reference->rate);
    }
    if (substeps > 1) {
        printf(" of %u substeps", (unsigned)substeps);
    }
    printf("; against %s\n\n", reference->name);
    for (int i = 0; i < TABLE_QUANTITIES && count > 1; i++) {
        table_print_quantity(sheets, count, (table_quantity)i);
    }
    if (count == 1) {
        table_print_sheet(sheets);
    }
}
