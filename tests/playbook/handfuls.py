# SPDX-License-Identifier: GPL-3.0-or-later
"""Which tasks and rows check.py compiles by default, and with which sets of knobs."""

HANDFUL = ("row_entropy", "post_norm_branch", "layer_scale_hardswish", "generalised_mean", "group_norm_silu",
           "stem_max_pool", "sequence_max_places", "drawdown", "weighted_bag", "neighbour_response_norm",
           "maxout_layer", "dense_growth", "scaled_half_product", "memory_read", "flat_window_pair", "upsampling_transposed")
KNOB_SETS = ("", "vk", "vksl", "vkc")  # c: the channels-last program, if it differs
# CUDA kernels: ours.
CUDA_HANDFUL = ("row_entropy", "post_norm_branch", "layer_scale_hardswish", "generalised_mean", "stem_max_pool",
                "sequence_max_places", "drawdown", "weighted_bag", "neighbour_response_norm", "large_depthwise",
                "keypoint_expectation", "enlarge_and_join")
CUDA_KNOB_SETS = ("wobr",)  # what the playbook starts with when it runs alone, without TF32
# Attention as one kernel.
ATTENTION_HANDFUL = ("causal_attention", "bias_under_a_mask", "added_mask", "odd_sizes", "odd_halves", "wide_halves", "turned_places",
                     "heads_behind_places", "parts_of_one", "no_number_in_queries", "no_number_in_keys")
ATTENTION_KNOB_SETS = (("va",), ("woba", "wobta", "wobag"))  # for CPU, for CUDA
# Matmuls with epilogues; for CUDA those of products.py as well, which have no configs of their own: a config there is
# another order of events (emulator.h).
MATMUL_HANDFUL = ("finished_products", "finished_half_products", "gated_products", "gated_half_products", "finished_images")
MATMUL_KNOB_SETS = (("p",), ("wobrtp",))
MATMUL_CONFIGS = (0,)
# Our convolutions, channels last.
CONVOLUTION_HANDFUL = ("pixels_in_floats", "odd_pixels_in_floats", "odd_pixels_of_few_filters", "steps_in_halves", "positive_pixels", "one_after_another", "volumes",
                       "gated_sounds", "two_gated", "large_filters_of_few_channels", "large_filters_of_halves")
CONVOLUTION_KNOB_SETS = (("vcp",), ("wobtcp",))
# Loops over time.
CELL_HANDFUL = ("gru_both_ways_in_turns", "half_lstm_in_turns", "reservoir_in_turns", "no_number_in_turns")
RECURRENCE_HANDFUL = ("lstm_with_states", "gru_both_ways", "elman", "backwards", "corrected_memory", "ragged_parts", "states_before",
                      "there_and_back", "states_finished_later", "states_gated_later", "states_finished_in_halves")
# Functions by kind, for CUDA.
FUNCTIONS_HANDFUL = ("unpacked_bits", "bits", "angles", "probability", "filters_of_one_channel", "samples_of_channels", "order", "written_pieces", "sums_in_memory", "short_rows", "filters_of_each_channel",
                     "extremes_in_memory", "computed_rows", "powers", "few_in_a_row", "moments_of_few", "parts_of_inputs", "ranks", "unpooled", "places_along",
                     "few_side_by_side", "odd_rows", "parts_and_a_rest", "looked_up_several",
                     "few_rows_of_bytes", "wide_windows", "sliding_windows", "windows_beside", "odd_softmax_with_tables", "parts_read_in_place", "two_softplus", "results_of_few", "mirrored_borders",
                     "borders_around", "borders_of_others", "results_beside", "windows_one_by_one", "looked_up_in_rows", "planes_looked_up", "rows_in_one_order", "two_packs", "what_a_type_holds")
SORTED_HANDFUL = ("sorted_lengths", "sorted_odd_numbers", "first_of_rows")
COMPLEX_HANDFUL = ("complex_inputs_and_results", "transforms_of_several_factors", "windows_of_a_signal")
# Gathers at computed indices.
SAMPLED_HANDFUL = ("along_a_flow", "in_hashed_grids", "odd_channels", "channels_innermost", "levels",
                   "words_across", "two_scales")
